-- The running server: found, started, attached to a buffer, asked. The same on Neovim 0.7 and on the newest.
local config = require("spvls.config")
local program = require("spvls.program")

local M = {}

local has_methods = vim.fn.has("nvim-0.11") == 1
local START_MS = 10000
local REQUEST_MS = 20000
local CONTENT_MODIFIED = -32801
local started = {} -- ids by root folder; a list of Neovim's has those only that are initialized

local function running()
  local list = vim.lsp.get_clients or vim.lsp.get_active_clients
  return vim.tbl_filter(function(client)
    return client.name == config.name
  end, list())
end

-- The server of a buffer, or nil.
function M.of(buffer)
  for _, client in ipairs(running()) do
    if vim.lsp.buf_is_attached(buffer, client.id) then
      return client
    end
  end
end

local function root_of(path)
  local folder = vim.fn.fnamemodify(path, ":p:h")
  while true do
    for _, marker in ipairs(config.root_markers()) do
      if (vim.uv or vim.loop).fs_stat(folder .. "/" .. marker) then
        return folder
      end
    end
    local parent = vim.fn.fnamemodify(folder, ":h")
    if parent == folder then
      return nil
    end
    folder = parent
  end
end

local function start(root)
  local wanted = has_methods and vim.lsp.config[config.name] or config.client()
  if not program.find(wanted.cmd[1]) then
    error(("spvls: %s was not found. Get it with: pip install spvls"):format(vim.fn.fnamemodify(wanted.cmd[1], ":t")), 0)
  end
  wanted = vim.tbl_extend("force", wanted, { cmd = program.resolved(wanted.cmd) })
  wanted.root_dir = root
  if has_methods then
    return vim.lsp.start(wanted, { attach = false })
  end
  return vim.lsp.start_client(wanted)
end

-- Id of the server for the folder of `path`, started if none runs; it may not be initialized yet.
local function launch(path)
  local root = root_of(path)
  for _, client in ipairs(running()) do
    if client.config.root_dir == root then
      return client.id
    end
  end
  local key = root or ""
  if not started[key] or not vim.lsp.get_client_by_id(started[key]) then
    started[key] = start(root)
  end
  return started[key]
end

-- A server that has been initialized. Raises a message for the user.
function M.ensure(path)
  local id = launch(path)
  vim.wait(START_MS, function()
    local client = vim.lsp.get_client_by_id(id)
    return not client or client.initialized
  end, 10)
  local client = vim.lsp.get_client_by_id(id)
  if not client or not client.initialized then
    error("spvls: the server did not start; see :checkhealth spvls", 0)
  end
  return client
end

-- Attaches the server to a buffer unless it is; a second attachment would open the document twice.
function M.attach(buffer)
  if M.of(buffer) then
    return
  end
  local id = launch(vim.api.nvim_buf_get_name(buffer))
  if not vim.lsp.buf_is_attached(buffer, id) then
    vim.lsp.buf_attach_client(buffer, id)
  end
end

local function is_overtaken(failure)
  return failure ~= nil and failure.code == CONTENT_MODIFIED
end

-- Asks anew when an edit overtook the question.
function M.request(client, buffer, method, params, handle)
  local function answer(failure, result)
    if is_overtaken(failure) and vim.api.nvim_buf_is_valid(buffer) then
      M.request(client, buffer, method, params, handle)
    else
      handle(failure, result)
    end
  end
  if has_methods then
    client:request(method, params, answer, buffer)
  else
    client.request(method, params, answer, buffer)
  end
end

-- The result; raises the server's message.
function M.request_sync(client, buffer, method, params)
  local done, failure, result
  M.request(client, buffer, method, params, function(...)
    done, failure, result = true, ...
  end)
  if not vim.wait(REQUEST_MS, function()
    return done
  end, 5) then
    error("spvls: the server did not answer", 0)
  elseif failure then
    error("spvls: " .. failure.message, 0)
  end
  return result
end

-- Changes a setting of every running server, and of those to come.
function M.set(name, value)
  config.set({ settings = { spvls = { [name] = value } } })
  for _, client in ipairs(running()) do
    client.config.settings.spvls[name] = value
    local params = { settings = client.config.settings }
    if has_methods then
      client:notify("workspace/didChangeConfiguration", params)
    else
      client.notify("workspace/didChangeConfiguration", params)
    end
  end
end

return M
