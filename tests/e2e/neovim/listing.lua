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

-- A file that changed on disk is written only if the user says so.
local answers = {}
local questions = {}
vim.fn.confirm = function(question)
  table.insert(questions, question)
  return table.remove(answers, 1)
end
local function overwrite(content)
  local file = io.open(target, "wb")
  file:write(content)
  file:close()
end

overwrite(first)
check.replace("OpTypeFloat 64", "OpTypeFloat 16")
answers = { 2 }
vim.cmd("silent! write")
check.equal(#questions, 1, "questions about a changed file")
check.holds(questions[1]:find("has changed since it was read"), "the question: " .. questions[1])
check.equal(bytes(), first, "the file after No")
check.holds(vim.bo.modified, "after No the listing is still modified")

answers = { 1 }
vim.cmd("write")
check.holds(not vim.bo.modified, "after Yes the listing is not modified")
local third = bytes()
check.holds(third ~= first and third ~= second, "the file after Yes has the new words")

check.replace("OpTypeFloat 16", "OpTypeFloat 32")
vim.cmd("write")
check.equal(#questions, 2, "questions when nobody else wrote")

overwrite(second)
check.replace("OpTypeFloat 32", "OpTypeFloat 16")
answers = { 2 }
vim.cmd("SpirvWriteBinary")
check.equal(#questions, 3, "questions of the command")
check.equal(bytes(), second, "the file after No to the command")
vim.cmd("write!")
check.equal(#questions, 3, "questions of write!")
check.equal(bytes(), third, "the file after write!")

-- Another file that exists is not overwritten, one that does not is written.
local other = vim.fn.tempname() .. ".spv"
vim.cmd("write " .. other)
check.equal(vim.fn.getfsize(other), #third, "size of the new file")
vim.fn.writefile({ "precious" }, other)
vim.cmd("silent! write " .. other)
check.equal(vim.fn.readfile(other), { "precious" }, "the other file")

-- What is gone is written anew, and what came to be meanwhile is not overwritten unasked.
vim.fn.delete(target)
vim.cmd("write")
check.equal(bytes(), third, "the file that was gone")
vim.cmd("edit " .. vim.fn.fnameescape(vim.fn.tempname() .. ".spv"))
vim.api.nvim_buf_set_lines(0, 0, -1, false, { "OpCapability Shader", "OpMemoryModel Logical GLSL450" })
check.attached()
vim.fn.writefile({ "precious" }, vim.api.nvim_buf_get_name(0))
answers = { 2 }
vim.cmd("silent! write")
check.equal(#questions, 4, "questions about a file that came to be")
check.equal(vim.fn.readfile(vim.api.nvim_buf_get_name(0)), { "precious" }, "the file that came to be")

-- A change that only the server noticed is asked about too, and no question is asked twice.
vim.cmd("edit! " .. target)
check.attached()
local client = require("spvls.client")
local request_sync = client.request_sync
local forced = {}
client.request_sync = function(server, buffer, method, params)
  if method == "spvls/writeBinary" and not params.force then
    return { written = false, conflict = true, reason = "it changed" }
  end
  table.insert(forced, method)
  return request_sync(server, buffer, method, params)
end
check.replace("OpTypeFloat 16", "OpTypeFloat 64")
answers = { 2 }
vim.cmd("silent! write")
check.equal({ #questions, #forced, vim.bo.modified }, { 5, 0, true }, "questions, writes and the flag after No to a conflict")
answers = { 1 }
vim.cmd("write")
check.equal({ #questions, #forced, vim.bo.modified }, { 6, 1, false }, "questions, writes and the flag after Yes to a conflict")
overwrite(first)
check.replace("OpTypeFloat 64", "OpTypeFloat 16")
answers = { 1 }
vim.cmd("write")
check.equal({ #questions, #forced, vim.bo.modified }, { 7, 2, false }, "the same where both noticed")
check.equal(bytes(), third, "the file after both")
