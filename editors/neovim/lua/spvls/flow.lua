-- :SpirvCfg, the control flow of the function under the cursor in a window beside the text, following edits and cursors.
local live = require("spvls.live")

local M = {}

local marked = vim.api.nvim_create_namespace("spvls_current_block")

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
  for number, line in ipairs(block and view.shown.text or {}) do
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
  local lines = { "There is no function with a body." }
  if view.shown then
    lines = vim.tbl_map(function(line)
      return line.text
    end, view.shown.text)
  end
  live.write(view, lines)
  mark(view)
end

-- The block that the line under the cursor tells of.
function kind.range_at_cursor(view)
  local line = view.shown and view.shown.text[vim.api.nvim_win_get_cursor(0)[1]]
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
