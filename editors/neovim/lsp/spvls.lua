-- For vim.lsp.enable("spvls") of Neovim 0.11 and newer.
return require("spvls.config").client()
