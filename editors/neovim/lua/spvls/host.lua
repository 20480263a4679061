-- Files of other languages with modules in them.
local M = {}

local WORD = "%f[%w_]Op%u[%w]*%f[^%w_]"

-- Whether a line begins with an instruction, or a string in it does.
local function is_instruction(line)
  local before = line:match("^(.-)" .. WORD)
  return before ~= nil and (before:find('^%s*$') or before:find('^%s*%%[%w_]+%s*=%s*$') or before:find('["(]%s*$')
    or before:find('["(]%s*%%[%w_]+%s*=%s*$')) ~= nil
end

-- Whether a buffer is assembly, or has an instruction in it.
function M.holds_module(buffer)
  if vim.bo[buffer].filetype == "spirv" then
    return true
  end
  for _, line in ipairs(vim.api.nvim_buf_get_lines(buffer, 0, -1, false)) do
    if is_instruction(line) then
      return true
    end
  end
  return false
end

return M
