-- Modules in an Amber script and in C++: highlighted, checked, and nothing answers outside of them.
local fixtures = vim.env.SPVLS_ROOT .. "/fixtures/hosts/"

local function open(name, filetype)
  local copy = vim.fn.getcwd() .. "/" .. name
  vim.fn.writefile(vim.fn.readfile(fixtures .. name, "b"), copy, "b")
  vim.cmd("edit " .. vim.fn.fnameescape(copy))
  check.equal(vim.bo.filetype, filetype, "file type of " .. name)
end

local function group_at(pattern, offset)
  local line, column = check.line_of(pattern)
  return vim.fn.synIDattr(vim.fn.synID(line + 1, column + 1 + (offset or 0), 1), "name")
end

local function errors()
  local found = {}
  for _, finding in ipairs(vim.diagnostic.get(0, { severity = vim.diagnostic.severity.ERROR })) do
    table.insert(found, { finding.lnum, finding.col })
  end
  return found
end

local function check_mistake(pattern)
  check.attached()
  local line, column = check.line_of(pattern)
  check.eventually("the finding stands at the place in the host", function()
    return vim.tbl_contains(vim.tbl_map(function(place)
      return place[1] == line and place[2] == column
    end, errors()), true)
  end)
end

vim.cmd("syntax on")

-- Amber
open("clear.amber", "amber")
check.equal(group_at("OpTypeVoid"), "spirvType", "group of an opcode in a block")
check.equal(group_at("PIPELINE"), "amberKeyword", "group of a command")
check.equal(group_at("SHADER compute none"), "amberShader", "group of a shader in another language")
check_mistake("%%missing")
local count = #errors()
check.replace("PIPELINE compute pipeline", "PIPELINE compute other")
check.replace("#!amber", "#!amber # edited")
check.request_at("textDocument/hover", "OpTypeVoid")
check.equal(#errors(), count, "findings after an edit of the host")
check.equal(check.request_at("textDocument/hover", "PIPELINE"), nil, "a hover outside of the modules")

-- C++
open("embedded.cpp", "cpp")
check.equal(group_at("OpTypeVoid"), "spirvType", "group of an opcode in a raw string")
check.equal(group_at('"%%void = OpTypeVoid', 9), "spirvType", "group of an opcode in a literal that is a line")
check.equal(group_at("int Op"), "cppRawString", "group of a raw string in another language")
check_mistake("%%missing")
local hover = check.request_at("textDocument/hover", "OpTypeVoid")
check.holds(vim.inspect(hover):find("OpTypeVoid", 1, true), "a hover in a module")
check.equal(check.request_at("textDocument/hover", "#include"), nil, "a hover outside of the modules")

-- Rename stays in the module.
local line, character = check.line_of("%%void")
local client = require("spvls.client")
local edits = client.request_sync(client.of(0), 0, "textDocument/rename", {
  textDocument = { uri = vim.uri_from_bufnr(0) },
  position = { line = line, character = character },
  newName = "%nothing",
})
local last = check.line_of("^%)spirv")
for _, change in ipairs(edits.documentChanges and edits.documentChanges[1].edits or select(2, next(edits.changes))) do
  check.holds(change.range.start.line < last, "an edit beyond the module")
end

-- The views show the module that the cursor is in, or the one before it.
local function go_to(pattern)
  vim.api.nvim_win_set_cursor(0, { check.line_of(pattern) + 1, 0 })
  vim.cmd("doautocmd CursorMoved")
end
local function shows(view, pattern, what)
  check.eventually(what, function()
    return table.concat(vim.api.nvim_buf_get_lines(view, 0, -1, false), "\n"):find(pattern)
  end)
end
local function follows(command, name, first, second)
  go_to("TARGET_ENV")
  vim.cmd(command)
  local view = vim.fn.bufnr("spvls://" .. name .. "/")
  check.holds(view ~= -1, "a buffer of " .. command)
  shows(view, first, command .. " shows the first module")
  go_to("%%missing")
  shows(view, second, command .. " shows the module at the cursor")
  go_to("PIPELINE")
  vim.wait(300)
  shows(view, second, command .. " shows the module before the cursor")
  go_to("; Generator")
  shows(view, first, command .. " goes back to the first module")
  vim.api.nvim_buf_set_lines(0, 1, 1, false, { "#" })
  go_to("%%main = OpFunction %%void None %%fn")
  shows(view, first, command .. " follows a module that has moved")
  vim.cmd(command)
end
vim.cmd("edit! clear.amber")
check.attached()
follows("SpirvBinary", "binary", "OpFunction %%void None %%fn", "OpFunction %%void None %%missing")
follows("SpirvSummary", "summary", "SPIR%-V 1%.3", "SPIR%-V 1%.0")
check.replace("%%entry = OpLabel", "%%start = OpLabel")
follows("SpirvCfg", "cfg", "%%start", "%%entry")

-- Without an instruction there is no server.
vim.fn.writefile({ "int main() { return 0; }" }, "plain.cpp")
vim.cmd("edit plain.cpp")
vim.wait(300)
check.equal(client.of(0), nil, "a server for a text without modules")
