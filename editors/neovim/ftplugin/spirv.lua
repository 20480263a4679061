if vim.b.did_ftplugin then
  return
end
vim.b.did_ftplugin = 1

vim.opt_local.commentstring = "; %s"
vim.opt_local.comments = ":;"
-- An id is one word with its percent sign.
vim.opt_local.iskeyword = { "@", "48-57", "_", "%" }
vim.opt_local.formatoptions:remove("t")
vim.b.undo_ftplugin = "setlocal commentstring< comments< iskeyword< formatoptions< omnifunc< tagfunc<"

if require("spvls.config").has_keys() then
  require("spvls.keys").set(vim.api.nvim_get_current_buf())
end

-- The parser of tree-sitter-spirv is used where it is installed.
if vim.fn.has("nvim-0.10") == 1 and pcall(vim.treesitter.start) then
  vim.b.undo_ftplugin = vim.b.undo_ftplugin .. " | lua vim.treesitter.stop()"
end
