-- A mistake is found on its line, and the finding goes when the mistake does.
check.attached()
local mistake = check.line_of("OpFAdd")
check.replace("OpFAdd", "OpBogus")
check.eventually("the mistake is found", function()
  return vim.tbl_contains(check.finding_lines(), mistake)
end)
local finding = vim.diagnostic.get(0, { lnum = mistake })[1]
check.equal(finding.severity, vim.diagnostic.severity.ERROR, "severity")
check.holds(#finding.message > 0, "a finding has a message")

check.replace("OpBogus", "OpFAdd")
check.eventually("the finding is gone", function()
  return #check.finding_lines() == 0
end)

-- Attached once: the server knows the document in one version.
local count = 0
for _, client in ipairs((vim.lsp.get_clients or vim.lsp.get_active_clients)()) do
  count = count + (client.name == "spvls" and 1 or 0)
end
check.equal(count, 1, "clients")
