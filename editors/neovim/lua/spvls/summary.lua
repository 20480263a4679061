-- :SpirvSummary, what a module is and offers, in a window beside the text, following edits.
local live = require("spvls.live")

local M = {}

local kind = { name = "summary", filetype = "spirvsummary", pause = 100 }

function kind.question(view)
  return "spvls/summary", { textDocument = { uri = vim.uri_from_bufnr(view.source) }, format = "text" }
end

function kind.show(view, result)
  view.lines = result.lines
  live.write(view, vim.tbl_map(function(line)
    return line.text
  end, result.lines))
end

-- The summary is that of the whole module, wherever the cursor is.
function kind.follow_source() end

function kind.range_at_cursor(view)
  local line = view.lines and view.lines[vim.api.nvim_win_get_cursor(0)[1]]
  local range = line and line.range
  return range ~= vim.NIL and range or nil
end

function M.toggle()
  live.toggle(kind)
end

return M
