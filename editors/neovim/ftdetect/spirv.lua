-- Before 0.8 the Lua detection is off unless asked for, and `a.spvasm.frag` would stay with the shading languages.
if vim.fn.has("nvim-0.8") == 1 then
  vim.filetype.add({
    extension = { spvasm = "spirv", spirv = "spirv" },
    pattern = { [".*%.spvasm%..*"] = "spirv" },
  })
else
  vim.api.nvim_create_autocmd({ "BufNewFile", "BufRead" }, {
    pattern = { "*.spvasm", "*.spvasm.*", "*.spirv" },
    command = "set filetype=spirv",
  })
end
