-- :checkhealth spvls
local config = require("spvls.config")
local program = require("spvls.program")

local M = {}

-- 0.7 to 0.9 know the report_ names only.
local health = vim.health or require("health")
local start = health.start or health.report_start
local ok = health.ok or health.report_ok
local info = health.info or health.report_info
local warn = health.warn or health.report_warn
local fail = health.error or health.report_error

local function check_server(cmd)
  if not program.find(cmd[1]) then
    local advice = { "pip install spvls", "or give an absolute path: require('spvls').setup({ cmd = { … } })" }
    fail(cmd[1] .. " is not on the PATH, or not executable", advice)
    return
  end
  local said, code = program.version(program.resolved(cmd))
  if code == 0 then
    ok(("%s at %s"):format(said, program.find(cmd[1])))
  else
    fail(cmd[1] .. " --version failed", { said })
  end
end

local function check_clients()
  local list = (vim.lsp.get_clients or vim.lsp.get_active_clients)()
  local found = false
  for _, client in ipairs(list) do
    if client.name == config.name then
      found = true
      ok(("client %d runs, root folder: %s"):format(client.id, client.config.root_dir or "none"))
    end
  end
  if not found then
    info("no client runs: open a .spvasm file after require('spvls').setup() or vim.lsp.enable('spvls')")
  end
end

local function check_parser()
  if vim.fn.has("nvim-0.10") == 0 then
    info("highlighting is by patterns: a tree-sitter parser needs Neovim 0.10 or newer")
  elseif pcall(vim.treesitter.language.inspect, "spirv") then
    ok("highlighting and folds are by the tree-sitter parser")
  else
    info("highlighting is by patterns: the tree-sitter parser is not installed, see :help spvls-tree-sitter")
  end
end

local function check_editor()
  if require("spvls.keys").has_markdown() then
    ok("hovers are shown as Markdown")
  else
    info("hovers are plain text: the tree-sitter parser of Markdown is not installed")
  end
  if vim.fn.has("nvim-0.10") == 1 then
    ok("inlay hints: :SpirvHints shows and hides them")
  else
    info("no inlay hints: they need Neovim 0.10 or newer")
  end
  if vim.fn.has("nvim-0.11") == 1 then
    ok("completion: CTRL-X CTRL-O, or while you type with vim.lsp.completion.enable()")
  else
    info("completion is by CTRL-X CTRL-O ('omnifunc'): suggestions while you type need Neovim 0.11 or a completion plugin")
  end
  local tags = vim.api.nvim_get_runtime_file("doc/spvls.txt", false)[1]
  if tags and vim.fn.filereadable(vim.fn.fnamemodify(tags, ":h") .. "/tags") == 0 then
    warn("no help tags: run :helptags on the folder doc of the plugin, or on a copy of it that can be written")
  end
end

function M.check()
  start("spvls")
  if vim.fn.has("nvim-0.7") == 1 then
    ok("Neovim is 0.7 or newer")
  else
    fail("Neovim 0.7 or newer is needed")
  end
  check_server(config.cmd())
  check_clients()
  check_parser()
  check_editor()
  if vim.g.loaded_spvls ~= 1 then
    warn("plugin/spvls.lua was not loaded: the commands are missing")
  end
end

return M
