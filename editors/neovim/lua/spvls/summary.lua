-- :SpirvSummary, what a module is and offers, in a window beside the text, following edits.
local live = require("spvls.live")

local M = {}

local kind = { name = "summary", filetype = "spirvsummary", pause = 100 }

function kind.question(view)
  return "spvls/summary", vim.tbl_extend("error", live.subject(view), { format = "text" })
end

function kind.show(view, result)
  view.lines, view.range = result.lines, result.range
  live.write(view, vim.tbl_map(function(line)
    return line.text
  end, result.lines))
end

-- Another module of the text is asked for.
function kind.follow_source(view)
  local place = live.cursor(view)
  if place and not (view.range and view.range.start.line <= place.line and place.line < view.range["end"].line) then
    live.schedule(view)
  end
end

function kind.range_at_cursor(view)
  local line = view.lines and view.lines[vim.api.nvim_win_get_cursor(0)[1]]
  local range = line and line.range
  return range ~= vim.NIL and range or nil
end

function M.toggle()
  live.toggle(kind)
end

return M
