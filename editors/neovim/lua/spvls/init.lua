-- SPIR-V assembly: the language server spvls for Neovim 0.7 and newer. See :help spvls
local M = {}

-- Starts the server for every SPIR-V buffer, those already open included.
--
-- Options, all optional: `cmd`, `settings`, `root_markers`, and whatever else the client takes, such as `on_attach`
-- and `capabilities`.
function M.setup(options)
  local config = require("spvls.config")
  config.set(options)
  if vim.fn.has("nvim-0.11") == 1 then
    vim.lsp.config(config.name, config.client())
    vim.lsp.enable(config.name)
    return
  end
  local function attach(buffer)
    local ok, message = pcall(require("spvls.client").attach, buffer)
    if not ok then
      vim.notify_once(message, vim.log.levels.WARN)
    end
  end
  vim.api.nvim_create_autocmd("FileType", {
    group = vim.api.nvim_create_augroup("spvls", {}),
    pattern = "spirv",
    callback = function(event)
      attach(event.buf)
    end,
  })
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buffer) and vim.bo[buffer].filetype == "spirv" then
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
