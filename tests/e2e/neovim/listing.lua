-- A .spv file is read as text, edited, and written as words.
local target = vim.fn.tempname() .. ".spv"
check.attached()
vim.cmd("SpirvWriteBinary " .. target)
local function bytes()
  local file = io.open(target, "rb")
  local content = file:read("*a")
  file:close()
  return content
end
local first = bytes()
check.equal(first:sub(1, 4), "\3\2\35\7", "magic number of the written file")

vim.cmd("edit " .. target)
check.equal(vim.bo.filetype, "spirv", "file type of the listing")
check.holds(not vim.bo.modified, "a listing just read is not modified")
check.attached()
check.line_of("OpTypeFloat 32")
vim.cmd("silent! undo")
check.line_of("OpTypeFloat 32")

check.replace("OpTypeFloat 32", "OpTypeFloat 64")
vim.cmd("write")
check.holds(not vim.bo.modified, "a listing just written is not modified")
local second = bytes()
check.holds(second ~= first, "the file has the new words")

check.replace("OpTypeFloat 64", "OpBogus 64")
vim.cmd("silent! write")
check.holds(vim.bo.modified, "what does not assemble is not written")
check.equal(bytes(), second, "the file after a refusal")

vim.cmd("edit!")
check.line_of("OpTypeFloat 64")
check.holds(not vim.bo.modified, "a listing read again is not modified")
