-- :SpirvCfg, the control flow of the function under the cursor in a window beside the text, following edits and cursors.
local live = require("spvls.live")

local M = {}

local marked = vim.api.nvim_create_namespace("spvls_current_block")

local dominance = vim.api.nvim_create_namespace("spvls_dominators")

vim.api.nvim_set_hl(0, "SpvlsDominator", { default = true, link = "Comment" })

local kind = { name = "cfg", filetype = "spirvflow", pause = 100 }

local function block_at(view, place)
  for _, block in ipairs(view.shown and view.shown.blocks or {}) do
    if live.touches(block.range, place) then
      return block
    end
  end
end

-- Lights the lines of the block that the cursor of the text is in.
local function mark(view)
  vim.api.nvim_buf_clear_namespace(view.buffer, marked, 0, -1)
  local place = live.cursor(view)
  local block = place and block_at(view, place)
  local first
  for number, line in ipairs(block and view.rows or {}) do
    if line.block == block.id and not line.text:find("^[│ ]*┌") then
      local options = { end_row = number, hl_group = "SpvlsInstruction", hl_eol = true }
      vim.api.nvim_buf_set_extmark(view.buffer, marked, number - 1, 0, options)
      first = first or number
    end
  end
  if first then
    live.bring_into_sight(view, first)
  end
end

-- Within the function in sight its block is marked; another one is asked for.
function kind.follow_source(view)
  local place = live.cursor(view)
  if not place then
    return
  end
  if view.shown and live.touches(view.shown.range, place) then
    mark(view)
  else
    live.schedule(view)
  end
end

-- The listings of all functions of the module; which of them is shown depends on the cursor.
function kind.question(view)
  return "spvls/cfg", vim.tbl_extend("error", live.subject(view), { all = true, format = "text" })
end

-- The function around the cursor; outside of functions the one in sight stays, at first it is the first one.
local function chosen(view, functions)
  local place = live.cursor(view)
  local same, first
  for _, item in ipairs(functions) do
    if #item.blocks > 0 then
      if place and live.touches(item.range, place) then
        return item
      end
      first = first or item
      same = same or (view.shown and item.id == view.shown.id and item) or nil
    end
  end
  return same or first
end

function kind.show(view, result)
  view.shown = chosen(view, result.functions)
  M.write(view)
end

-- Whether a line is the first one of its block.
local function heads(line)
  return line.block and not line.text:find("^[│ ]*┌") and not line.text:find("^[│ ]*    ")
end

-- The listing, or in an overview the blocks and frames alone.
function M.write(view)
  view.rows = {}
  for _, line in ipairs(view.shown and view.shown.text or {}) do
    if not view.is_short or heads(line) or not line.text:find("^[│ ]*    ") then
      table.insert(view.rows, line)
    end
  end
  local lines = vim.tbl_map(function(line)
    return line.text
  end, view.rows)
  live.write(view, view.shown and lines or { "There is no function with a body." })
  mark(view)
  M.show_dominators(view)
end

local function block_of_row(view)
  local row = vim.api.nvim_win_get_cursor(live.window_of(view.buffer) or 0)[1]
  local line = view.rows and view.rows[row]
  return line and line.block
end

local function row_of(view, block)
  for number, line in ipairs(view.rows or {}) do
    if line.block == block and heads(line) then
      return number
    end
  end
end

local function go(view, block)
  local row = block and row_of(view, block)
  if row then
    vim.api.nvim_win_set_cursor(0, { row, 0 })
    M.show_dominators(view)
  end
end

-- To the first block that an edge leads to, or comes from; without one, to the next in the listing.
local function along(step)
  return function(view)
    local here = block_of_row(view)
    local at = 0
    for number, block in ipairs(view.shown.blocks) do
      at = block.id == here and number or at
    end
    for _, edge in ipairs(view.shown.edges) do
      local from, to = edge.source, edge.target
      if step < 0 then
        from, to = to, from
      end
      local row = row_of(view, to)
      if from == here and row and (row - row_of(view, here)) * step > 0 then
        return go(view, to)
      end
    end
    local next = view.shown.blocks[at + step]
    go(view, next and next.id)
  end
end

local function beside(step)
  return function(view)
    local here = block_of_row(view)
    for number, block in ipairs(view.shown.blocks) do
      local next = view.shown.blocks[number + step]
      if block.id == here and next then
        return go(view, next.id)
      end
    end
  end
end

-- Says behind each block that dominates the one at the cursor, or that it dominates, that it does.
function M.show_dominators(view)
  vim.api.nvim_buf_clear_namespace(view.buffer, dominance, 0, -1)
  local here = view.has_dominators and view.shown and block_of_row(view)
  if not here then
    return
  end
  local above = {}
  for _, block in ipairs(view.shown.blocks) do
    above[block.id] = block.dominator ~= vim.NIL and block.dominator or nil
  end
  local function dominates(one, other)
    local next = above[other]
    while next and next ~= one do
      next = above[next]
    end
    return next == one
  end
  for _, block in ipairs(view.shown.blocks) do
    local said = dominates(block.id, here) and ("dominates %" .. here) or dominates(here, block.id) and ("dominated by %" .. here)
    local row = said and row_of(view, block.id)
    if row then
      vim.api.nvim_buf_set_extmark(view.buffer, dominance, row - 1, 0, { virt_text = { { said, "SpvlsDominator" } } })
    end
  end
end

M.help = "Arrow keys: from block to block · Enter: its text · / search, n next · f fit · o overview · d dominators · ? this line"

kind.keys = {
  ["<Down>"] = { run = along(1), desc = "To the block that this one leads to" },
  ["<Up>"] = { run = along(-1), desc = "To the block that leads to this one" },
  ["<Right>"] = { run = beside(1), desc = "To the next block" },
  ["<Left>"] = { run = beside(-1), desc = "To the block before" },
  f = {
    run = function(view)
      local width = 1
      for _, text in ipairs(view.texts) do
        width = math.max(width, vim.fn.strdisplaywidth(text) + 2)
      end
      vim.api.nvim_win_set_width(0, math.min(width, math.floor(vim.o.columns * 2 / 3)))
    end,
    desc = "Fit the window to the listing",
  },
  o = {
    run = function(view)
      local here = block_of_row(view)
      view.is_short = not view.is_short
      M.write(view)
      go(view, here)
    end,
    desc = "Blocks alone, or all lines",
  },
  d = {
    run = function(view)
      view.has_dominators = not view.has_dominators
      M.show_dominators(view)
    end,
    desc = "Dominators of the block, or none",
  },
  ["?"] = {
    run = function()
      vim.api.nvim_echo({ { M.help } }, false, {})
    end,
    desc = "What the keys do",
  },
}

-- The block that the line under the cursor tells of.
function kind.range_at_cursor(view)
  local line = view.shown and view.rows[vim.api.nvim_win_get_cursor(0)[1]]
  for _, block in ipairs(line and view.shown.blocks or {}) do
    if block.id == line.block then
      return block.range
    end
  end
end

function M.toggle()
  live.toggle(kind)
end

return M
