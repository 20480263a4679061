-- :SpirvBinary, the words of a buffer's module in a window beside it, following edits and cursors.
local live = require("spvls.live")
local words = require("spvls.words")

local M = {}

-- Edits closer to each other than this are one change: what it marks is new since before the first of them.
local ONE_CHANGE_S = 1.5
local LONGEST_NOTE = 200

local changes = vim.api.nvim_create_namespace("spvls_changed_words")

local kind = { name = "binary", filetype = "spirvwords", pause = 50, views = {} }

local function text_of(view, range)
  local first = live.source_line(view, range.start.line)
  local stop = range["end"].line == range.start.line and live.column(view, range["end"]) or #first
  return (first:sub(live.column(view, range.start) + 1, stop):gsub("%s+", " "):sub(1, LONGEST_NOTE))
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

-- Lights the words under the cursor of the source.
local function light(view)
  local place = view.result and live.cursor(view)
  if not place then
    return
  end
  local instruction, token = words.at(view.result.map, place)
  if not instruction then
    vim.api.nvim_buf_clear_namespace(view.buffer, live.selection, 0, -1)
    return
  end
  local first = line_of(view, instruction.word)
  local last = line_of(view, instruction.word + instruction.count - 1)
  if not first or not last then -- the words are those of a text that is gone; the next answer is under way
    return
  end
  mark(view, live.selection, first, last, function(word)
    local is_token = token.word <= word and word < token.word + token.count
    return is_token and "SpvlsToken" or "SpvlsInstruction"
  end)
  live.bring_into_sight(view, line_of(view, token.word))
end

-- Another module of the text is asked for.
function kind.follow_source(view)
  local place = view.result and live.cursor(view)
  local map = place and view.result.map
  if map and (#map == 0 or place.line < map[1].range.start.line or place.line > map[#map].range["end"].line) then
    live.schedule(view)
  end
  light(view)
end

-- The range of the source under the cursor of the view.
function kind.range_at_cursor(view)
  local row, byte = unpack(vim.api.nvim_win_get_cursor(0))
  local line = view.result and view.lines[row]
  if not line or line.range then
    return line and line.range
  end
  local i = math.floor((byte - words.FIRST_COLUMN) / words.WORD_WIDTH)
  return words.range_of(view.result.map, line.first + math.min(math.max(i, 0), line.count - 1))
end

-- An answer with the same words, as after an edit of white space, leaves the marks of the last change.
local function mark_changes(view, before, after)
  if vim.deep_equal(before, after) then
    return
  end
  local now = vim.fn.reltimefloat(vim.fn.reltime())
  if now - (view.last_change or 0) > ONE_CHANGE_S then
    view.before_change = before
  end
  view.last_change = now
  view.changed = words.changed(view.before_change, after)
end

function kind.question(view)
  local params = live.subject(view)
  params.since = view.known and view.known.version
  return "spvls/binary", params
end

-- The next answer tells what has changed since this one. The text of an instruction is read once, when it is shown first.
function kind.learn(view, answer)
  if answer.since and view.known then
    view.notes = words.spliced(view.notes, answer.map, function()
      return false
    end)
    view.known = words.patched(view.known, answer)
    return
  end
  view.known, view.notes = answer, {}
  for i = 1, #answer.map do
    view.notes[i] = false
  end
end

function kind.show(view)
  local result = view.known
  local before = view.result and view.result.words
  view.result = result
  for i, instruction in ipairs(result.map) do
    view.notes[i] = view.notes[i] or text_of(view, instruction.range)
  end
  view.lines = words.lines(result, view.notes, function(range)
    return text_of(view, range)
  end)
  live.write(view, vim.tbl_map(function(line)
    return line.text
  end, view.lines))
  if before then
    mark_changes(view, before, result.words)
  end
  mark(view, changes, 1, #view.lines, function(word)
    return view.changed and view.changed[word] and "SpvlsChanged"
  end)
  light(view)
end

function M.toggle()
  vim.lsp.handlers["spvls/binaryChanged"] = function(_, changed)
    local view = kind.views[vim.uri_to_bufnr(changed.uri)]
    if view then
      live.schedule(view)
    end
  end
  live.toggle(kind)
end

return M
