-- Where the server is not installed, the user hears so, and :checkhealth says it again.
check.equal(vim.bo.filetype, "spirv", "file type")
check.holds(not require("spvls.client").of(0), "no server is attached")
local ok, message = pcall(require("spvls.client").attach, 0)
check.holds(not ok and message:find("spvls was not found"), "the message: " .. tostring(message))
vim.cmd("checkhealth spvls")
local report = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), "\n")
check.holds(report:find("is not on the PATH"), "the report:\n" .. report)
