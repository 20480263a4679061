-- The lines that show a module's words, and the way from a word to the text and back. No buffers in here.
local M = {}

M.WORDS_PER_LINE = 4
M.FIRST_COLUMN = 10 -- of the words, after the offset
M.WORD_WIDTH = 9 -- eight digits and a space

local HEADER_WORDS = 5
local NOTE_FORMAT = "%08x  %-35s  %s"

local function line(words, first, count, note)
  local digits = {}
  for word = first, first + count - 1 do
    digits[#digits + 1] = ("%08x"):format(words[word + 1])
  end
  local text = NOTE_FORMAT:format(first * 4, table.concat(digits, " "), note)
  return { text = text:gsub("%s+$", ""), first = first, count = count }
end

local function header_notes(header)
  return {
    "magic number",
    "version " .. header.version,
    ("generator: tool %d, its version %d"):format(math.floor(header.generator / 65536), header.generator % 65536),
    ("bound: ids are below %d"):format(header.bound),
    header.schema == 0 and "schema: none" or ("schema %d"):format(header.schema),
  }
end

local function is_before(a, b)
  return a.line < b.line or (a.line == b.line and a.character < b.character)
end

-- Records of { text, first, count } in the order of the text; a gap has a count of 0 and its range.
-- `notes` has the source of each instruction, `text_of(range)` gives that of a gap.
function M.lines(result, notes, text_of)
  local lines = {}
  if result.header and result.header ~= vim.NIL then
    for i, note in ipairs(header_notes(result.header)) do
      lines[i] = line(result.words, i - 1, 1, note)
    end
  end
  local gap = 1
  local function add_gaps_before(position)
    while result.gaps[gap] and (not position or is_before(result.gaps[gap].range.start, position)) do
      local missing = result.gaps[gap]
      local text = ("--------  %s: %s"):format(text_of(missing.range), missing.message)
      lines[#lines + 1] = { text = text, first = 0, count = 0, range = missing.range }
      gap = gap + 1
    end
  end
  for i, instruction in ipairs(result.map) do
    add_gaps_before(instruction.range.start)
    local note = notes[i]
    for done = 0, instruction.count - 1, M.WORDS_PER_LINE do
      local count = math.min(M.WORDS_PER_LINE, instruction.count - done)
      lines[#lines + 1] = line(result.words, instruction.word + done, count, done == 0 and note or "")
    end
  end
  add_gaps_before(nil)
  return lines
end

-- The items with a splice of the protocol done to them; `made(item)` is what is put in for one, by default itself, and
-- `kept(item)` what one behind the splice becomes.
function M.spliced(items, splice, made, kept)
  local result = vim.list_slice(items, 1, splice.start)
  for _, item in ipairs(splice.insert) do
    if made then
      item = made(item)
    end
    result[#result + 1] = item
  end
  for i = splice.start + splice.deleteCount + 1, #items do
    local item = items[i]
    if kept then
      item = kept(item)
    end
    result[#result + 1] = item
  end
  return result
end

local function header_words(header)
  local major, minor = header.version:match("(%d+)%.(%d+)")
  return { header.magic, tonumber(major) * 65536 + tonumber(minor) * 256, header.generator, header.bound, header.schema }
end

local function moved(item, shift)
  local first, last = item.range.start, item.range["end"]
  return {
    word = item.word + shift.words,
    count = item.count,
    range = {
      start = { line = first.line + shift.lines, character = first.character },
      ["end"] = { line = last.line + shift.lines, character = last.character },
    },
  }
end

-- The answer to spvls/binary that `delta` makes of the one for version `delta.since`.
function M.patched(held, delta)
  local words = M.spliced(held.words, delta.words)
  for i, word in ipairs(header_words(delta.header)) do
    words[i] = word
  end
  local shift = delta.map.shift
  local kept = (shift.lines ~= 0 or shift.words ~= 0)
    and function(instruction)
      local result = moved(instruction, shift)
      result.tokens = vim.tbl_map(function(token)
        return moved(token, shift)
      end, instruction.tokens)
      return result
    end
  local map = M.spliced(held.map, delta.map, nil, kept or nil)
  return { version = delta.version, header = delta.header, words = words, map = map, gaps = delta.gaps }
end

-- The part from index `from` in which two lists differ: its first index, and its last in each of them.
function M.difference(before, after, from)
  local first, last_before, last_after = from, #before, #after
  while first <= last_before and first <= last_after and before[first] == after[first] do
    first = first + 1
  end
  while last_before >= first and last_after >= first and before[last_before] == after[last_after] do
    last_before, last_after = last_before - 1, last_after - 1
  end
  return first, last_before, last_after
end

-- The set of words (counted from 0) that an edit changed. The header is compared apart: its bound changes with edits
-- far away.
function M.changed(before, after)
  local changed = {}
  for i = 1, math.min(HEADER_WORDS, #after) do
    changed[i - 1] = before[i] ~= after[i] or nil
  end
  local first, last_before, last_after = M.difference(before, after, HEADER_WORDS + 1)
  for i = first, last_after do
    changed[i - 1] = (last_before ~= last_after or before[i] ~= after[i]) or nil
  end
  return changed
end

-- The last item for which `precedes` holds; it holds for a beginning of the items.
local function last_of(items, precedes)
  local low, high = 1, #items + 1
  while low < high do
    local middle = math.floor((low + high) / 2)
    if precedes(items[middle]) then
      low = middle + 1
    else
      high = middle
    end
  end
  return items[low - 1]
end

local function first_where(items, holds)
  for _, item in ipairs(items) do
    if holds(item) then
      return item
    end
  end
end

-- The instruction and the token at a position of the text, each with `word` and `count`; nil between instructions.
function M.at(map, position)
  local function holds(item)
    return not is_before(position, item.range.start) and not is_before(item.range["end"], position)
  end
  local instruction = last_of(map, function(item)
    return not is_before(position, item.range.start)
  end)
  if instruction and holds(instruction) then
    return instruction, first_where(instruction.tokens, holds) or instruction
  end
end

-- The text that a word was made of: that of its token, or of its instruction; nil in the header.
function M.range_of(map, word)
  local function holds(item)
    return item.word <= word and word < item.word + item.count
  end
  local instruction = last_of(map, function(item)
    return item.word <= word
  end)
  if instruction and holds(instruction) then
    return (first_where(instruction.tokens, holds) or instruction).range
  end
end

return M
