-- Neovim with the plugin of this tree, and what every check uses.
local root = vim.env.SPVLS_ROOT
vim.opt.runtimepath:prepend(root .. "/editors/neovim")
vim.opt.swapfile = false
vim.opt.shadafile = "NONE"

local WAIT_MS = 20000
check = {}

function check.equal(actual, expected, what)
  if not vim.deep_equal(actual, expected) then
    error(("%s: expected %s, got %s"):format(what, vim.inspect(expected), vim.inspect(actual)), 2)
  end
end

function check.holds(value, what)
  if not value then
    error(what, 2)
  end
  return value
end

function check.eventually(what, condition)
  if not vim.wait(WAIT_MS, condition, 20) then
    error("did not come to be: " .. what, 2)
  end
end

-- Waits for the server on the current buffer.
function check.attached()
  check.eventually("the server is attached", function()
    local server = require("spvls.client").of(0)
    return server and server.initialized
  end)
end

-- The zero-based lines of the errors and warnings in the current buffer, sorted.
function check.finding_lines()
  local lines = vim.tbl_map(function(finding)
    return finding.lnum
  end, vim.diagnostic.get(0, { severity = { min = vim.diagnostic.severity.WARN } }))
  table.sort(lines)
  return lines
end

function check.line_of(pattern)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local first = line:find(pattern)
    if first then
      return number - 1, first - 1
    end
  end
  error("no line has " .. pattern, 2)
end

function check.replace(pattern, replacement)
  local number = check.line_of(pattern)
  local line = vim.api.nvim_buf_get_lines(0, number, number + 1, false)[1]
  vim.api.nvim_buf_set_lines(0, number, number + 1, false, { (line:gsub(pattern, replacement, 1)) })
end

-- Result of a request about the place where `pattern` stands.
function check.request_at(method, pattern)
  local line, character = check.line_of(pattern)
  local client = require("spvls.client")
  return client.request_sync(client.of(0), 0, method, {
    textDocument = { uri = vim.uri_from_bufnr(0) },
    position = { line = line, character = character },
  })
end

local function setup()
  if vim.env.SPVLS_SETUP == "enable" then
    vim.lsp.config("spvls", { cmd = vim.json.decode(vim.env.SPVLS_CMD) })
    vim.lsp.enable("spvls")
  else
    require("spvls").setup({ cmd = vim.json.decode(vim.env.SPVLS_CMD) })
  end
end

setup()

-- Runs a check and ends Neovim, with code 1 and the message on a failure.
function check.run(path)
  local ok, message = xpcall(dofile, debug.traceback, path)
  io.stdout:write(ok and "PASSED\n" or tostring(message) .. "\n")
  vim.cmd(ok and "qall!" or "cquit 1")
end
