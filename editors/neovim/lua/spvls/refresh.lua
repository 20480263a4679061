-- Findings of open buffers are pulled anew when the server asks for it. Neovim 0.10 knows no such request, and 0.12 answers
-- it for the texts that are not open alone. This teaches them.
local M = {}

local PULL = "textDocument/diagnostic"
local REFRESH = "workspace/diagnostic/refresh"

local function pull_again(err, result, context)
  local own = vim.lsp.handlers[REFRESH]
  if own then
    own(err, result, context)
  end
  local client = vim.lsp.get_client_by_id(context.client_id)
  local request = client and (vim.fn.has("nvim-0.11") == 1 and function(...)
    client:request(...)
  end or client.request)
  for buffer in pairs(client and client.attached_buffers or {}) do
    request(PULL, { textDocument = { uri = vim.uri_from_bufnr(buffer) } }, nil, buffer)
  end
  return vim.NIL
end

-- The configuration of a client with what is missing.
function M.complete(config)
  if not vim.lsp.handlers[PULL] then
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
