-- Neovim 0.10 pulls findings, but cannot be told by the server to pull them anew. This teaches it.
local M = {}

local PULL = "textDocument/diagnostic"
local REFRESH = "workspace/diagnostic/refresh"

local function pull_again(_, _, context)
  local client = vim.lsp.get_client_by_id(context.client_id)
  for buffer in pairs(client and client.attached_buffers or {}) do
    client.request(PULL, { textDocument = { uri = vim.uri_from_bufnr(buffer) } }, nil, buffer)
  end
  return vim.NIL
end

-- The configuration of a client with what is missing.
function M.complete(config)
  if not vim.lsp.handlers[PULL] or vim.lsp.handlers[REFRESH] then
    return config
  end
  local capabilities = config.capabilities or vim.lsp.protocol.make_client_capabilities()
  return vim.tbl_deep_extend("force", config, {
    capabilities = vim.tbl_deep_extend("force", capabilities, {
      workspace = { diagnostics = { refreshSupport = true } },
    }),
    handlers = { [REFRESH] = pull_again },
  })
end

return M
