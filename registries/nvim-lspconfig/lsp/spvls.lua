---@brief
---
--- @REPOSITORY@
---
--- Language server for SPIR-V assembly. It can be installed with `pipx`:
--- ```sh
--- pipx install spvls
--- ```
---
--- Neovim does not detect the file type by itself:
--- ```lua
--- vim.filetype.add({ extension = { spvasm = 'spirv' }, pattern = { ['.*%.spvasm%..*'] = 'spirv' } })
--- ```

---@type vim.lsp.Config
return {
  cmd = { 'spvls', 'serve' },
  filetypes = { 'spirv' },
  root_markers = { 'spvls.toml', '.git' },
  settings = {},
}
