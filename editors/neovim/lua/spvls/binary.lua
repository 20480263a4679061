-- :SpirvBinary, the words of a buffer's module in a window beside it, following edits and cursors.
local client = require("spvls.client")
local position = require("spvls.position")
local words = require("spvls.words")

local M = {}

local PAUSE_MS = 50
-- Edits closer to each other than this are one change: what it marks is new since before the first of them.
local ONE_CHANGE_S = 1.5
local LONGEST_NOTE = 200

local changes = vim.api.nvim_create_namespace("spvls_changed_words")
local selection = vim.api.nvim_create_namespace("spvls_selected_words")
local views = {} -- by source buffer

vim.api.nvim_set_hl(0, "SpvlsChanged", { default = true, link = "DiffText" })
vim.api.nvim_set_hl(0, "SpvlsToken", { default = true, link = "Visual" })
vim.api.nvim_set_hl(0, "SpvlsInstruction", { default = true, link = "CursorLine" })

local function encoding_of(server)
  return server.offset_encoding or "utf-16"
end

local function source_line(view, number)
  return vim.api.nvim_buf_get_lines(view.source, number, number + 1, false)[1] or ""
end

local function column(view, place)
  return position.to_byte(source_line(view, place.line), place.character, view.encoding)
end

local function text_of(view, range)
  local first = source_line(view, range.start.line)
  local stop = range["end"].line == range.start.line and column(view, range["end"]) or #first
  return (first:sub(column(view, range.start) + 1, stop):gsub("%s+", " "):sub(1, LONGEST_NOTE))
end

local function texts(lines)
  return vim.tbl_map(function(line)
    return line.text
  end, lines)
end

-- Replaces only the lines that differ, so that the window stays where it is.
local function write(view, lines)
  local before, after = texts(view.lines), texts(lines)
  local first, last_before, last_after = words.difference(before, after, 1)
  local part = vim.list_slice(after, first, last_after)
  vim.bo[view.buffer].modifiable = true
  vim.api.nvim_buf_set_lines(view.buffer, first - 1, #before == 0 and -1 or last_before, false, part)
  vim.bo[view.buffer].modifiable = false
  view.lines = lines
end

-- Highlights the words for which `chosen(word)` gives a group, in the lines `first` to `last`.
local function mark(view, namespace, first, last, chosen)
  vim.api.nvim_buf_clear_namespace(view.buffer, namespace, 0, -1)
  for number = first, last do
    local line = view.lines[number]
    for i = 0, line.count - 1 do
      local group = chosen(line.first + i)
      if group then
        local start = words.FIRST_COLUMN + i * words.WORD_WIDTH
        local options = { end_col = start + words.WORD_WIDTH - 1, hl_group = group }
        vim.api.nvim_buf_set_extmark(view.buffer, namespace, number - 1, start, options)
      end
    end
  end
end

local function line_of(view, word)
  for number, line in ipairs(view.lines) do
    if line.first <= word and word < line.first + line.count then
      return number
    end
  end
end

local function window_of(buffer)
  local window = vim.fn.bufwinid(buffer)
  return window ~= -1 and window or nil
end

-- Lights the words under the cursor of the source.
local function follow_source(view)
  local window = window_of(view.source)
  if not window or not view.result then
    return
  end
  local row, byte = unpack(vim.api.nvim_win_get_cursor(window))
  local character = position.from_byte(source_line(view, row - 1), byte, view.encoding)
  local instruction, token = words.at(view.result.map, { line = row - 1, character = character })
  if not instruction then
    vim.api.nvim_buf_clear_namespace(view.buffer, selection, 0, -1)
    return
  end
  local first = line_of(view, instruction.word)
  local last = line_of(view, instruction.word + instruction.count - 1)
  mark(view, selection, first, last, function(word)
    local is_token = token.word <= word and word < token.word + token.count
    return is_token and "SpvlsToken" or "SpvlsInstruction"
  end)
  local beside = window_of(view.buffer)
  if beside and beside ~= vim.api.nvim_get_current_win() then
    vim.api.nvim_win_set_cursor(beside, { line_of(view, token.word), 0 })
  end
end

-- The range of the source under the cursor of the view.
local function range_at_cursor(view)
  local row, byte = unpack(vim.api.nvim_win_get_cursor(0))
  local line = view.lines[row]
  if not line or line.range then
    return line and line.range
  end
  local i = math.floor((byte - words.FIRST_COLUMN) / words.WORD_WIDTH)
  return words.range_of(view.result.map, line.first + math.min(math.max(i, 0), line.count - 1))
end

-- Lights the text under the cursor of the view.
local function follow_view(view)
  vim.api.nvim_buf_clear_namespace(view.source, selection, 0, -1)
  local range = view.result and range_at_cursor(view)
  if range then
    vim.api.nvim_buf_set_extmark(view.source, selection, range.start.line, column(view, range.start), {
      end_row = range["end"].line,
      end_col = column(view, range["end"]),
      hl_group = "SpvlsToken",
    })
  end
end

local function jump(view)
  local range = range_at_cursor(view)
  local window = window_of(view.source)
  if range and window then
    vim.api.nvim_set_current_win(window)
    vim.api.nvim_win_set_cursor(window, { range.start.line + 1, column(view, range.start) })
  end
end

-- An answer with the same words, as after an edit of white space, leaves the marks of the last change.
local function mark_changes(view, before, after)
  if vim.deep_equal(before, after) then
    return
  end
  local now = vim.fn.reltimefloat(vim.fn.reltime())
  if now - view.last_change > ONE_CHANGE_S then
    view.before_change = before
  end
  view.last_change = now
  view.changed = words.changed(view.before_change, after)
end

local function show(view, result)
  local before = view.result and view.result.words
  view.result = result
  write(view, words.lines(result, function(range)
    return text_of(view, range)
  end))
  if before then
    mark_changes(view, before, result.words)
  end
  mark(view, changes, 1, #view.lines, function(word)
    return view.changed[word] and "SpvlsChanged"
  end)
  follow_source(view)
end

local function update(view)
  local server = views[view.source] == view and client.of(view.source)
  if not server then
    return
  end
  view.encoding = encoding_of(server)
  local tick = vim.api.nvim_buf_get_changedtick(view.source)
  local params = { textDocument = { uri = vim.uri_from_bufnr(view.source) } }
  client.request(server, view.source, "spvls/binary", params, function(failure, result)
    if failure then
      vim.notify("spvls: " .. failure.message, vim.log.levels.WARN)
    elseif views[view.source] == view and tick == vim.api.nvim_buf_get_changedtick(view.source) then
      show(view, result)
    end
  end)
end

-- Updates soon; several calls in a short time are one.
local function schedule(view)
  view.due = (view.due or 0) + 1
  local due = view.due
  vim.defer_fn(function()
    if due == view.due then
      update(view)
    end
  end, PAUSE_MS)
end

local function close(view)
  views[view.source] = nil
  pcall(vim.api.nvim_del_augroup_by_name, view.group)
  if vim.api.nvim_buf_is_valid(view.source) then
    vim.api.nvim_buf_clear_namespace(view.source, selection, 0, -1)
  end
end

local function listen(view)
  view.group = "spvls_binary_" .. view.buffer
  vim.api.nvim_create_augroup(view.group, {})
  local function on(events, buffer, handle)
    vim.api.nvim_create_autocmd(events, { group = view.group, buffer = buffer, callback = handle })
  end
  on({ "CursorMoved", "CursorMovedI" }, view.source, function()
    follow_source(view)
  end)
  on("CursorMoved", view.buffer, function()
    follow_view(view)
  end)
  on("BufLeave", view.buffer, function()
    vim.api.nvim_buf_clear_namespace(view.source, selection, 0, -1)
  end)
  on("BufWipeout", view.buffer, function()
    close(view)
  end)
  on("BufUnload", view.source, function()
    vim.schedule(function()
      pcall(vim.api.nvim_buf_delete, view.buffer, { force = true })
    end)
  end)
  vim.api.nvim_buf_attach(view.source, false, {
    on_lines = function()
      if views[view.source] ~= view then
        return true
      end
      schedule(view)
    end,
  })
end

local function open_window(source)
  local window = vim.api.nvim_get_current_win()
  vim.cmd("rightbelow vertical new")
  local buffer = vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_set_name(buffer, "spvls://binary/" .. vim.api.nvim_buf_get_name(source))
  vim.bo[buffer].buftype = "nofile"
  vim.bo[buffer].bufhidden = "wipe"
  vim.bo[buffer].swapfile = false
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].filetype = "spirvwords"
  vim.wo.wrap = false
  vim.wo.number = false
  vim.wo.relativenumber = false
  vim.wo.spell = false
  vim.api.nvim_set_current_win(window)
  return buffer
end

-- Opens the view of the current buffer, or closes it.
function M.toggle()
  local source = vim.api.nvim_get_current_buf()
  if views[source] then
    vim.api.nvim_buf_delete(views[source].buffer, { force = true })
    return
  end
  if not client.of(source) then
    vim.notify("spvls: no server is attached to this buffer; see :checkhealth spvls", vim.log.levels.ERROR)
    return
  end
  vim.lsp.handlers["spvls/binaryChanged"] = function(_, changed)
    local view = views[vim.uri_to_bufnr(changed.uri)]
    if view then
      schedule(view)
    end
  end
  local view = { source = source, buffer = open_window(source), lines = {}, changed = {}, last_change = 0 }
  views[source] = view
  vim.keymap.set("n", "<CR>", function()
    jump(view)
  end, { buffer = view.buffer, desc = "To the text of the word" })
  listen(view)
  update(view)
end

return M
