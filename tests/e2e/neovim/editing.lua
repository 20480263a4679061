-- File types, highlighting and the settings of a SPIR-V buffer.
check.equal(vim.bo.filetype, "spirv", "file type of a.spvasm")
check.equal(vim.bo.commentstring, "; %s", "comment string")
local folder = vim.fn.expand("%:p:h")
vim.cmd("edit " .. folder .. "/b.spvasm.frag")
check.equal(vim.bo.filetype, "spirv", "file type of b.spvasm.frag")
vim.cmd("edit " .. folder .. "/c.spirv")
check.equal(vim.bo.filetype, "spirv", "file type of c.spirv")

vim.api.nvim_buf_set_lines(0, 0, -1, false, {
  "; Version: 1.5",
  "%a = OpTypeFloat 32 ; a remark",
  'OpName %a "two',
  "%lines \\\" of; string\" !0x12",
  "%b = OpConstant %a -1.5e3",
  "%c = OpLoad %a %p Volatile|Aligned 16",
  "OpUnknown(1, 2) %a",
  "%e = OpTypeImage %a 2D 0",
})
vim.cmd("syntax on")
local function group(pattern)
  local line, column = check.line_of(pattern)
  return vim.fn.synIDattr(vim.fn.synID(line + 1, column + 1, 1), "name")
end
for pattern, expected in pairs({
  ["; Version"] = "spirvHeader",
  ["%%a = OpTypeFloat"] = "spirvResult",
  ["OpTypeFloat"] = "spirvType",
  ["32 ;"] = "spirvNumber",
  ["; a remark"] = "spirvComment",
  ["OpName"] = "spirvModule",
  ['"two'] = "spirvString",
  ["%%lines"] = "spirvString",
  ['\\"'] = "spirvEscape",
  ["; string"] = "spirvString",
  ["!0x12"] = "spirvRawWord",
  ["OpConstant"] = "spirvConstant",
  ["%-1%.5e3"] = "spirvNumber",
  ["OpLoad"] = "spirvOpcode",
  ["%%p"] = "spirvId",
  ["Volatile"] = "spirvEnumerant",
  ["|"] = "spirvOperator",
  ["16"] = "spirvNumber",
  ["OpUnknown"] = "spirvUnknown",
  ["2D"] = "spirvEnumerant",
}) do
  check.equal(group(pattern), expected, "syntax group of " .. pattern)
end
