-- What the user may set, and the configuration of the client made of it.
local host = require("spvls.host")
local program = require("spvls.program")
local refresh = require("spvls.refresh")

local M = {}

M.name = "spvls"

local options = {
  cmd = { "spvls", "serve" },
  root_markers = { "spvls.toml", ".git" },
  host_filetypes = { "amber", "c", "cpp", "markdown", "python", "rust", "shaderslang", "slang", "vkrunner" },
  settings = { spvls = { targetEnv = vim.NIL } },
  keys = true,
}

M.target_envs = {
  "spv1.0", "spv1.1", "spv1.2", "spv1.3", "spv1.4", "spv1.5", "spv1.6",
  "vulkan1.0", "vulkan1.1", "vulkan1.1spv1.4", "vulkan1.2", "vulkan1.3", "vulkan1.4",
  "opencl1.2embedded", "opencl1.2", "opencl2.0embedded", "opencl2.0", "opencl2.1embedded", "opencl2.1",
  "opencl2.2embedded", "opencl2.2",
  "opengl4.0", "opengl4.1", "opengl4.2", "opengl4.3", "opengl4.5",
}

function M.set(chosen)
  options = vim.tbl_deep_extend("force", options, chosen or {})
  if chosen and chosen.host_filetypes then -- an empty list would change nothing
    options.host_filetypes = chosen.host_filetypes
  end
end

-- The filetypes of the buffers that the server is to know.
function M.filetypes()
  return vim.list_extend({ "spirv" }, options.host_filetypes)
end

function M.root_markers()
  return options.root_markers
end

-- Whether keys are set where this Neovim has none.
function M.has_keys()
  return options.keys
end

-- The command as the user gave it.
function M.cmd()
  return options.cmd
end

-- The root folder of a buffer goes to `start`, where there is something for the server.
local function with_root(buffer, start)
  if host.holds_module(buffer) then
    start(vim.fs.root(buffer, vim.lsp.config[M.name].root_markers))
  end
end

-- A table for vim.lsp.config and for vim.lsp.start_client.
function M.client()
  local capabilities = options.capabilities or vim.lsp.protocol.make_client_capabilities()
  return refresh.complete(vim.tbl_extend("keep", {
    -- Documents of the server, which spvls.source reads.
    capabilities = vim.tbl_deep_extend("force", capabilities, { workspace = { textDocumentContent = vim.empty_dict() } }),
    cmd = program.resolved(options.cmd),
    name = M.name,
    filetypes = M.filetypes(),
    init_options = options.settings.spvls,
    root_dir = vim.fn.has("nvim-0.11") == 1 and with_root or nil,
  }, options, program.isolation()))
end

return M
