-- SPIR-V assembly: the language server spvls for Neovim 0.7 and newer. See :help spvls
local M = {}

-- Starts the server for every buffer of SPIR-V and for those of other languages that hold a module, those already open
-- included.
--
-- Options, all optional: `cmd`, `settings`, `root_markers`, `host_filetypes`, and whatever else the client takes, such as `on_attach`
-- and `capabilities`.
function M.setup(options)
  local config = require("spvls.config")
  config.set(options)
  local host = require("spvls.host")
  local function attach(buffer)
    if not host.holds_module(buffer) then
      return
    end
    local ok, message = pcall(require("spvls.client").attach, buffer)
    if not ok then
      vim.notify_once(message, vim.log.levels.WARN)
    end
  end
  local group = vim.api.nvim_create_augroup("spvls", {})
  -- A file may get its first module while it is edited.
  vim.api.nvim_create_autocmd("BufWritePost", {
    group = group,
    callback = function(event)
      if vim.tbl_contains(config.filetypes(), vim.bo[event.buf].filetype) then
        attach(event.buf)
      end
    end,
  })
  if vim.fn.has("nvim-0.11") == 1 then
    vim.lsp.config(config.name, config.client())
    vim.lsp.enable(config.name)
    return
  end
  vim.api.nvim_create_autocmd("FileType", {
    group = group,
    pattern = config.filetypes(),
    callback = function(event)
      attach(event.buf)
    end,
  })
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.tbl_contains(config.filetypes(), vim.bo[buffer].filetype) then
      attach(buffer)
    end
  end
end

-- Sets the target environment; without a name, asks for it. "none" is what the file says.
function M.target_env(name)
  local envs = require("spvls.config").target_envs
  local choices = vim.list_extend({ "none" }, envs)
  if name == nil or name == "" then
    vim.ui.select(choices, { prompt = "SPIR-V target environment" }, function(choice)
      if choice then
        M.target_env(choice)
      end
    end)
  elseif vim.tbl_contains(choices, name) then
    require("spvls.client").set("targetEnv", name == "none" and vim.NIL or name)
  else
    vim.notify(("spvls: there is no target environment %s"):format(name), vim.log.levels.ERROR)
  end
end

return M
