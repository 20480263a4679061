-- Control flow and the summary stand beside the text, follow edits and the cursor, and lead back to the text.
check.attached()
vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.fn.readfile(vim.env.SPVLS_ROOT .. "/fixtures/shaders/lit.frag.spvasm"))
local source = vim.api.nvim_get_current_buf()

local function lines(view)
  return vim.api.nvim_buf_get_lines(view, 0, -1, false)
end
local function number_of(view, pattern)
  for number, line in ipairs(lines(view)) do
    if line:find(pattern) then
      return number, line
    end
  end
end
local function go_to(pattern)
  vim.api.nvim_win_set_cursor(0, { check.line_of(pattern) + 1, 0 })
  vim.cmd("doautocmd CursorMoved")
end
local function press_enter(view, number)
  vim.api.nvim_set_current_win(vim.fn.bufwinid(view))
  vim.api.nvim_win_set_cursor(0, { number, 0 })
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes("<CR>", true, false, true), "xt", false)
  check.equal(vim.api.nvim_get_current_buf(), source, "the buffer that <CR> leads to")
end

go_to("%%head = OpLabel")
vim.cmd("SpirvCfg")
local flow = vim.fn.bufnr("spvls://cfg/")
check.holds(flow ~= -1, "a buffer shows the control flow")
check.eventually("the control flow is shown", function()
  return number_of(flow, "^%%main · 7 blocks · 1 loop · 1 selection$")
end)
local expected = {
  "┌ loop · merge %done · continue %continue",
  "│ %head · 3 instructions · OpBranchConditional %more",
  "│     dominator %opaque · post-dominator %done",
  "│     true  → %body",
  "│     false → %done",
}
local first = check.holds(number_of(flow, "┌ loop"), "the loop has a frame")
check.equal(vim.list_slice(lines(flow), first, first + 4), expected, "the loop's header")
check.holds(number_of(flow, "↩ %%head %(back%)$"), "the edge back is told")

local blocks = vim.api.nvim_get_namespaces().spvls_current_block
local function marked()
  local marks = vim.api.nvim_buf_get_extmarks(flow, blocks, 0, -1, {})
  return marks[1] and lines(flow)[marks[1][2] + 1] or ""
end
check.eventually("the block under the cursor is marked", function()
  return marked():find("%%head", 1, false)
end)
go_to("OpKill")
check.eventually("the mark follows the cursor", function()
  return marked():find("%%drop · OpKill")
end)
check.replace("OpKill", "OpUnreachable")
check.eventually("the listing follows an edit", function()
  return number_of(flow, "%%drop · OpUnreachable")
end)
check.holds(number_of(flow, "^    stores %%out_color$"), "a block names what it stores")

-- Arrow keys, the overview and dominators.
local function press(key)
  vim.api.nvim_set_current_win(vim.fn.bufwinid(flow))
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(key, true, false, true), "xt", false)
end
local function line_here()
  return lines(flow)[vim.api.nvim_win_get_cursor(vim.fn.bufwinid(flow))[1]]
end
vim.api.nvim_win_set_cursor(vim.fn.bufwinid(flow), { (number_of(flow, "%%head · 3")), 0 })
press("<Down>")
check.holds(line_here():find("%%body · "), "the first block that it leads to: " .. line_here())
press("<Up>")
check.holds(line_here():find("%%head · "), "the block that leads to it: " .. line_here())
press("<Left>")
check.holds(line_here():find("%%opaque · "), "the block before: " .. line_here())
press("o")
check.holds(not number_of(flow, "→"), "an overview has blocks and frames alone")
check.holds(line_here():find("%%opaque · "), "the cursor stays at its block")
press("o")
check.holds(number_of(flow, "→"), "all lines are back")
press("d")
local function dominance()
  local said = {}
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(flow, vim.api.nvim_get_namespaces().spvls_dominators, 0, -1, { details = true })) do
    said[#said + 1] = mark[4].virt_text[1][1]
  end
  return said
end
local below = "dominated by %opaque"
check.equal(dominance(), { "dominates %opaque", below, below, below, below }, "dominators of the block")
press("d")
check.equal(dominance(), {}, "no dominators")
press("f")
check.holds(vim.api.nvim_win_get_width(vim.fn.bufwinid(flow)) > 40, "the window fits the listing")
vim.api.nvim_set_current_win(vim.fn.bufwinid(source))
press_enter(flow, (number_of(flow, "^%%done · ")))
check.equal(vim.api.nvim_win_get_cursor(0)[1], check.line_of("%%done = OpLabel") + 1, "the line that <CR> leads to")
vim.cmd("SpirvCfg")
check.holds(not vim.api.nvim_buf_is_valid(flow), "the command closes the view")

vim.cmd("SpirvSummary")
local summary = vim.fn.bufnr("spvls://summary/")
check.holds(summary ~= -1, "a buffer shows the summary")
check.eventually("the summary is shown", function()
  return number_of(summary, "^  set 0  binding 1  uniform buffer          %%lights  Lights, 272 bytes$")
end)
check.holds(number_of(summary, "^  Input            location 2       %%in_position  vec3<f32>$"), "an input has a line")
check.replace("%%lights Binding 1", "%%lights Binding 7")
check.eventually("the summary follows an edit", function()
  return number_of(summary, "^  set 0  binding 7  uniform buffer")
end)
press_enter(summary, (number_of(summary, "binding 7  uniform buffer")))
check.equal(vim.api.nvim_win_get_cursor(0)[1], check.line_of("%%lights = OpVariable") + 1, "the line that <CR> leads to")
vim.cmd("SpirvSummary")
check.holds(not vim.api.nvim_buf_is_valid(summary), "the command closes the summary")

-- The words are brought up to date by what has changed, and are those of a whole answer.
vim.cmd("SpirvBinary")
local binary = vim.fn.bufnr("spvls://binary/")
local client = require("spvls.client")
local function whole()
  local words = require("spvls.words")
  local params = { textDocument = { uri = vim.uri_from_bufnr(source) } }
  local result = client.request_sync(client.of(source), source, "spvls/binary", params)
  local notes = vim.tbl_map(function()
    return ""
  end, result.map)
  return vim.tbl_map(function(line)
    return line.text:sub(1, 45):gsub("%s+$", "")
  end, words.lines(result, notes, function()
    return ""
  end))
end
local function shown()
  return vim.tbl_map(function(line)
    return line:sub(1, 45):gsub("%s+$", "")
  end, lines(binary))
end
local asked = {}
local request = client.request
client.request = function(server, buffer, method, params, handle)
  if method == "spvls/binary" then
    asked[#asked + 1] = params.since or 0
  end
  return request(server, buffer, method, params, handle)
end
check.eventually("the words are shown", function()
  return #lines(binary) > 100
end)
for _, edit in ipairs({ { "%%lights Binding 7", "%%lights Binding 8" }, { "OpUnreachable", "OpKill" } }) do
  check.replace(unpack(edit))
  vim.wait(200)
end
vim.api.nvim_buf_set_lines(source, 8, 8, false, { "; a remark", '%new = OpString "a new one"' })
vim.api.nvim_buf_set_lines(source, 20, 21, false, {})
vim.wait(300)
client.request = request
check.holds(#asked > 0, "the view asked after the edits")
check.holds(not vim.tbl_contains(asked, 0), "and asked for what has changed: " .. vim.inspect(asked))
check.eventually("the view shows the words of the text", function()
  return vim.deep_equal(shown(), whole())
end)
