-- The words stand beside the text, follow an edit, and know where they come from.
check.attached()
local source = vim.api.nvim_get_current_buf()
vim.cmd("SpirvBinary")
local view = vim.fn.bufnr("spvls://binary/")
check.holds(view ~= -1, "a buffer shows the words")

local function lines()
  return vim.api.nvim_buf_get_lines(view, 0, -1, false)
end
local function number_of(pattern)
  for number, line in ipairs(lines()) do
    if line:find(pattern) then
      return number, line
    end
  end
end
check.eventually("the words are shown", function()
  return #lines() > 5
end)
check.holds(lines()[1]:find("^00000000  07230203 +magic number$"), "the first word is the magic number: " .. lines()[1])
local number, line = number_of("OpTypeFloat 32$")
check.holds(number, "OpTypeFloat has a line")
local words = vim.split(line:sub(11, 45), " +", { trimempty = true })
check.equal(#words, 3, "words of OpTypeFloat")
check.equal(words[1]:sub(1, 4), "0003", "word count of OpTypeFloat")

-- An edit of one literal.
check.equal(vim.api.nvim_get_current_buf(), source, "the text keeps the focus")
check.replace("OpTypeFloat 32", "OpTypeFloat 64")
check.eventually("the words follow", function()
  return (number_of("OpTypeFloat 64$")) == number
end)
local changes = vim.api.nvim_get_namespaces().spvls_changed_words
local marks = vim.tbl_filter(function(mark)
  return mark[2] == number - 1
end, vim.api.nvim_buf_get_extmarks(view, changes, 0, -1, {}))
check.equal(#marks, 1, "changed words of the line")
check.equal(marks[1][3], 10 + 2 * 9, "column of the changed word")
check.holds(select(2, number_of("OpTypeFloat 64$")):sub(11, 45) ~= line:sub(11, 45), "the words differ")

-- A line inserted above moves the text, not the words.
vim.api.nvim_buf_set_lines(source, 0, 0, false, { "; a remark" })
vim.wait(300)

-- From the text to the words.
local selection = vim.api.nvim_get_namespaces().spvls_selected_words
local row, column = check.line_of("OpTypeFloat")
vim.api.nvim_win_set_cursor(0, { row + 1, column })
vim.cmd("doautocmd CursorMoved")
check.eventually("the words under the cursor are lit", function()
  local lit = vim.api.nvim_buf_get_extmarks(view, selection, 0, -1, {})
  return #lit == 3 and lit[1][2] == number - 1
end)

-- And back.
vim.api.nvim_set_current_win(vim.fn.bufwinid(view))
vim.api.nvim_win_set_cursor(0, { number, 10 })
vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes("<CR>", true, false, true), "xt", false)
check.equal(vim.api.nvim_get_current_buf(), source, "the buffer that <CR> leads to")
check.equal(vim.api.nvim_win_get_cursor(0), { row + 1, column }, "the place that <CR> leads to")

-- What has no words is said.
check.replace("OpFAdd", "OpBogus")
check.eventually("the gap is shown", function()
  return number_of("^%-%-%-%-%-%-%-%-  .*OpBogus")
end)

vim.cmd("SpirvBinary")
check.holds(not vim.api.nvim_buf_is_valid(view), "the command closes the view")
