-- The target environment decides what is a mistake; :checkhealth reports.
check.attached()
check.equal(check.finding_lines(), {}, "findings at first")
check.replace("OpCapability Shader", "OpCapability Shader OpCapability Kernel")
vim.cmd("SpirvTargetEnv vulkan1.3")
check.eventually("the environment's rules apply", function()
  return vim.tbl_contains(check.finding_lines(), (check.line_of("OpCapability")))
end)
vim.cmd("SpirvTargetEnv none")
check.eventually("the file decides again", function()
  return #check.finding_lines() == 0
end)

vim.cmd("checkhealth spvls")
local report = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
check.holds(report:find("client %d+ runs"), "the report names the client:\n" .. report)
check.holds(not report:find("ERROR"), "the report has no error:\n" .. report)
