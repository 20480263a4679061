-- Windows beside a text that follow its edits and its cursor, at most one of a kind for each buffer.
local client = require("spvls.client")
local position = require("spvls.position")

local M = {}

vim.api.nvim_set_hl(0, "SpvlsChanged", { default = true, link = "DiffText" })
vim.api.nvim_set_hl(0, "SpvlsToken", { default = true, link = "Visual" })
vim.api.nvim_set_hl(0, "SpvlsInstruction", { default = true, link = "CursorLine" })

M.selection = vim.api.nvim_create_namespace("spvls_selected_words")

-- What a kind of view is made of:
--   name, filetype, pause (milliseconds)
--   question(view)           the method and the parameters to ask the server for
--   learn(view, result)      optional: takes in an answer, also one that edits have overtaken
--   show(view, result)       writes an answer that is that of the text as it is
--   follow_source(view)      the cursor of the text moved
--   keys                     optional: for keys of its window, what they do with a view, and in words
--   range_at_cursor(view)    the part of the text that the cursor of the view stands for, or nil

function M.window_of(buffer)
  local window = vim.fn.bufwinid(buffer)
  return window ~= -1 and window or nil
end

function M.source_line(view, number)
  return vim.api.nvim_buf_get_lines(view.source, number, number + 1, false)[1] or ""
end

function M.column(view, place)
  return position.to_byte(M.source_line(view, place.line), place.character, view.encoding)
end

-- The place of the protocol where the cursor of the text is, or nil while no window shows it.
function M.cursor(view)
  local window = M.window_of(view.source)
  if window then
    local row, byte = unpack(vim.api.nvim_win_get_cursor(window))
    return { line = row - 1, character = position.from_byte(M.source_line(view, row - 1), byte, view.encoding) }
  end
end

-- What says to the server which module is shown: the text, and where its cursor is, or was when a window last showed it.
function M.subject(view)
  view.place = M.cursor(view) or view.place
  return { textDocument = { uri = vim.uri_from_bufnr(view.source) }, position = view.place }
end

-- Whether a range of the protocol has something on the line of a place.
function M.touches(range, place)
  return range.start.line <= place.line and place.line <= range["end"].line
end

-- Lines of text in the place of those of the view; those that stay are not touched, so that the window stays where it is.
function M.write(view, lines)
  local difference = require("spvls.words").difference
  local first, last_before, last_after = difference(view.texts, lines, 1)
  vim.bo[view.buffer].modifiable = true
  local stop = #view.texts == 0 and -1 or last_before
  vim.api.nvim_buf_set_lines(view.buffer, first - 1, stop, false, vim.list_slice(lines, first, last_after))
  vim.bo[view.buffer].modifiable = false
  view.texts = lines
end

-- Moves the cursor of the view's window, unless that has the focus.
function M.bring_into_sight(view, number)
  local beside = M.window_of(view.buffer)
  if beside and beside ~= vim.api.nvim_get_current_win() then
    vim.api.nvim_win_set_cursor(beside, { number, 0 })
  end
end

local function encoding_of(server)
  return server.offset_encoding or "utf-16"
end

local function is_open(view)
  return view.kind.views[view.source] == view
end

-- One request at a time; what happens meanwhile is asked for afterwards. A server that is gone keeps nobody waiting.
local function update(view)
  local server = is_open(view) and client.of(view.source)
  if not server then
    return
  end
  if view.asking == server.id then
    view.outdated = true
    return
  end
  view.asking, view.outdated = server.id, false
  view.encoding = encoding_of(server)
  local tick = vim.api.nvim_buf_get_changedtick(view.source)
  local method, params = view.kind.question(view)
  client.request(server, view.source, method, params, function(failure, result)
    view.asking = nil
    if not is_open(view) then
      return
    end
    if failure then
      view.known = nil
      vim.notify("spvls: " .. failure.message, vim.log.levels.WARN)
    elseif result == nil or result == vim.NIL then
      M.write(view, { "There is no module in this text." })
    else
      if view.kind.learn then
        view.kind.learn(view, result)
      end
      if tick == vim.api.nvim_buf_get_changedtick(view.source) then
        view.kind.show(view, result)
      end
    end
    if view.outdated then
      M.schedule(view)
    end
  end)
end

-- Updates soon; several calls in a short time are one.
function M.schedule(view)
  view.due = (view.due or 0) + 1
  local due = view.due
  vim.defer_fn(function()
    if due == view.due then
      update(view)
    end
  end, view.kind.pause)
end

-- Lights the text that the cursor of the view stands for.
local function follow_view(view)
  vim.api.nvim_buf_clear_namespace(view.source, M.selection, 0, -1)
  local range = view.kind.range_at_cursor(view)
  if range then
    vim.api.nvim_buf_set_extmark(view.source, M.selection, range.start.line, M.column(view, range.start), {
      end_row = range["end"].line,
      end_col = M.column(view, range["end"]),
      hl_group = "SpvlsToken",
    })
  end
end

local function jump(view)
  local range = view.kind.range_at_cursor(view)
  local window = M.window_of(view.source)
  if range and window then
    vim.api.nvim_set_current_win(window)
    vim.api.nvim_win_set_cursor(window, { range.start.line + 1, M.column(view, range.start) })
  end
end

local function close(view)
  view.kind.views[view.source] = nil
  pcall(vim.api.nvim_del_augroup_by_name, view.group)
  if vim.api.nvim_buf_is_valid(view.source) then
    vim.api.nvim_buf_clear_namespace(view.source, M.selection, 0, -1)
  end
end

local function listen(view)
  view.group = "spvls_view_" .. view.buffer
  vim.api.nvim_create_augroup(view.group, {})
  local function on(events, buffer, handle)
    vim.api.nvim_create_autocmd(events, { group = view.group, buffer = buffer, callback = handle })
  end
  on({ "CursorMoved", "CursorMovedI" }, view.source, function()
    view.kind.follow_source(view)
  end)
  on("CursorMoved", view.buffer, function()
    follow_view(view)
  end)
  on("BufLeave", view.buffer, function()
    vim.api.nvim_buf_clear_namespace(view.source, M.selection, 0, -1)
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
      if not is_open(view) then
        return true
      end
      M.schedule(view)
    end,
  })
end

local function open_window(source, kind)
  local window = vim.api.nvim_get_current_win()
  vim.cmd("rightbelow vertical new")
  local buffer = vim.api.nvim_get_current_buf()
  vim.api.nvim_buf_set_name(buffer, ("spvls://%s/%s"):format(kind.name, vim.api.nvim_buf_get_name(source)))
  vim.bo[buffer].buftype = "nofile"
  vim.bo[buffer].bufhidden = "wipe"
  vim.bo[buffer].swapfile = false
  vim.bo[buffer].modifiable = false
  vim.bo[buffer].filetype = kind.filetype
  vim.wo.wrap = false
  vim.wo.number = false
  vim.wo.relativenumber = false
  vim.wo.spell = false
  vim.api.nvim_set_current_win(window)
  return buffer
end

-- Opens the view of the current buffer, or closes it.
function M.toggle(kind)
  kind.views = kind.views or {}
  local source = vim.api.nvim_get_current_buf()
  if kind.views[source] then
    vim.api.nvim_buf_delete(kind.views[source].buffer, { force = true })
    return
  end
  local server = client.of(source)
  if not server then
    vim.notify("spvls: no server is attached to this buffer; see :checkhealth spvls", vim.log.levels.ERROR)
    return
  end
  local view = { kind = kind, source = source, buffer = open_window(source, kind), texts = {}, encoding = encoding_of(server) }
  kind.views[source] = view
  vim.keymap.set("n", "<CR>", function()
    jump(view)
  end, { buffer = view.buffer, desc = "To the text" })
  for key, action in pairs(kind.keys or {}) do
    vim.keymap.set("n", key, function()
      action.run(view)
    end, { buffer = view.buffer, nowait = true, desc = action.desc })
  end
  listen(view)
  update(view)
end

return M
