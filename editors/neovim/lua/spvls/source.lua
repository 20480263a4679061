-- The sources that modules carry, as buffers to read, and :SpirvSource: while a source and its module are both in sight, the cursor
-- of each leads that of the other.
local client = require("spvls.client")
local position = require("spvls.position")

local M = {}

local namespace = vim.api.nvim_create_namespace("spvls_source")
local modules = {} -- addresses of modules by the buffers of their sources

vim.api.nvim_set_hl(0, "SpvlsSource", { default = true, link = "CursorLine" })

-- Any server that runs, for a buffer that is of none.
local function any_server()
  for _, server in ipairs((vim.lsp.get_clients or vim.lsp.get_active_clients)()) do
    if server.name == require("spvls.config").name then
      return server
    end
  end
end

-- Fills a buffer whose name is the address of a source.
function M.read(buffer, address)
  local server = any_server()
  if not server then
    vim.notify("spvls: no server runs", vim.log.levels.ERROR)
    return
  end
  local ok, result = pcall(client.request_sync, server, buffer, "workspace/textDocumentContent", { uri = address })
  if not ok then
    vim.notify(tostring(result), vim.log.levels.ERROR)
    return
  end
  vim.bo[buffer].modifiable = true
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split((result.text:gsub("\n$", "")), "\r?\n"))
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].modified = false
  vim.bo[buffer].buftype = "nofile"
  vim.bo[buffer].swapfile = false
  local name = address:match("^[^?]*/([^/?]*)")
  local filetype = vim.fn.has("nvim-0.8") == 1 and vim.filetype.match({ filename = name })
  if filetype then
    vim.bo[buffer].filetype = filetype
  end
end

local function line_of(buffer, number)
  return vim.api.nvim_buf_get_lines(buffer, number, number + 1, false)[1] or ""
end

local function mark(buffer, range)
  local last = math.min(range["end"].line + 1, vim.api.nvim_buf_line_count(buffer))
  vim.api.nvim_buf_set_extmark(buffer, namespace, math.min(range.start.line, last - 1), 0, {
    end_row = last,
    hl_group = "SpvlsSource",
    hl_eol = true,
    strict = false,
  })
end

-- Moves the cursor of a buffer's window, unless that has the focus.
local function place(buffer, range, encoding)
  local window = vim.fn.bufwinid(buffer)
  if window ~= -1 and window ~= vim.api.nvim_get_current_win() then
    local row = math.min(range.start.line + 1, vim.api.nvim_buf_line_count(buffer))
    local byte = position.to_byte(line_of(buffer, row - 1), range.start.character, encoding)
    vim.api.nvim_win_set_cursor(window, { row, byte })
  end
end

local function window_of_sources()
  for buffer in pairs(modules) do
    local window = vim.fn.bufwinid(buffer)
    if window ~= -1 then
      return window
    end
  end
end

local function clear()
  for _, buffer in ipairs(vim.api.nvim_list_bufs()) do
    vim.api.nvim_buf_clear_namespace(buffer, namespace, 0, -1)
  end
end

-- Marks what an answer says in the buffers of both, and moves the cursor of the one that has not the focus.
local function show(server, result)
  clear()
  local encoding = server.offset_encoding or "utf-16"
  local module = vim.uri_to_bufnr(result.document)
  for _, range in ipairs(result.instructions) do
    mark(module, range)
  end
  local buffer = vim.uri_to_bufnr(result.source.uri)
  local current = vim.api.nvim_get_current_buf()
  if current == module then
    local window = window_of_sources()
    if window and vim.api.nvim_win_get_buf(window) ~= buffer then
      vim.fn.bufload(buffer)
      vim.api.nvim_win_set_buf(window, buffer)
    end
    place(buffer, result.source.range, encoding)
  elseif result.instructions[1] then
    place(module, result.instructions[1], encoding)
  end
  modules[buffer] = result.document
  if vim.api.nvim_buf_is_loaded(buffer) then
    mark(buffer, result.source.range)
  end
end

local function ask(buffer, handle)
  local module = modules[buffer] and vim.uri_to_bufnr(modules[buffer]) or buffer
  local server = client.of(module)
  if not server then
    return false
  end
  local row, byte = unpack(vim.api.nvim_win_get_cursor(0))
  local params = {
    textDocument = { uri = vim.uri_from_bufnr(buffer) },
    position = { line = row - 1, character = position.from_byte(line_of(buffer, row - 1), byte, server.offset_encoding or "utf-16") },
    document = modules[buffer],
  }
  client.request(server, module, "spvls/source", params, function(failure, result)
    if not failure and result and result ~= vim.NIL and result.source and result.source ~= vim.NIL then
      handle(server, result)
    else
      handle()
    end
  end)
  return true
end

local function follow()
  local buffer = vim.api.nvim_get_current_buf()
  if not window_of_sources() then
    return
  end
  ask(buffer, function(server, result)
    if buffer ~= vim.api.nvim_get_current_buf() then
      return
    elseif result then
      show(server, result)
    else
      clear()
    end
  end)
end

-- Opens the source of the instruction at the cursor in a window beside it.
function M.open()
  local group = vim.api.nvim_create_augroup("spvls_source_link", {})
  vim.api.nvim_create_autocmd({ "CursorMoved", "CursorMovedI" }, { group = group, callback = follow })
  local window = vim.api.nvim_get_current_win()
  local asked = ask(vim.api.nvim_get_current_buf(), function(server, result)
    if not result then
      vim.notify("spvls: no debug information says which line of a source this comes from", vim.log.levels.WARN)
      return
    end
    local buffer = vim.uri_to_bufnr(result.source.uri)
    if vim.fn.bufwinid(buffer) == -1 and not window_of_sources() then
      vim.cmd("rightbelow vertical split")
      vim.fn.bufload(buffer)
      vim.api.nvim_win_set_buf(0, buffer)
      vim.api.nvim_set_current_win(window)
    end
    modules[buffer] = result.document
    show(server, result)
  end)
  if not asked then
    vim.notify("spvls: no server is attached to this buffer; see :checkhealth spvls", vim.log.levels.ERROR)
  end
end

return M
