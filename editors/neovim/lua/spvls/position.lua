-- Columns of the protocol and byte columns of a line.
local M = {}

local takes_encoding = vim.fn.has("nvim-0.11") == 1

local function is_ascii(line)
  return not line:find("[\128-\255]")
end

-- Byte column of a column that counts in `encoding`.
function M.to_byte(line, character, encoding)
  if encoding == "utf-8" or is_ascii(line) then
    return math.min(character, #line)
  end
  if takes_encoding then
    return vim.str_byteindex(line, encoding, character, false)
  end
  local ok, byte = pcall(vim.str_byteindex, line, character, encoding == "utf-16")
  return ok and byte or #line
end

-- Column in `encoding` of a byte column.
function M.from_byte(line, byte, encoding)
  byte = math.min(byte, #line)
  if encoding == "utf-8" or is_ascii(line) then
    return byte
  end
  if takes_encoding then
    return vim.str_utfindex(line, encoding, byte, false)
  end
  local utf32, utf16 = vim.str_utfindex(line, byte)
  return encoding == "utf-16" and utf16 or utf32
end

return M
