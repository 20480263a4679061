if vim.g.loaded_spvls or vim.fn.has("nvim-0.7") == 0 then
  return
end
vim.g.loaded_spvls = 1

-- What code blocks of Markdown call it.
if vim.fn.has("nvim-0.10") == 1 then
  vim.treesitter.language.register("spirv", { "spirv", "spvasm", "spirv-asm" })
end

local command = vim.api.nvim_create_user_command

command("SpirvBinary", function()
  require("spvls.binary").toggle()
end, { desc = "Show the words of the module beside the text" })

command("SpirvCfg", function()
  require("spvls.flow").toggle()
end, { desc = "Show the control flow of the function under the cursor" })

command("SpirvSummary", function()
  require("spvls.summary").toggle()
end, { desc = "Show what the module is and offers" })

command("SpirvSource", function()
  require("spvls.source").open()
end, { desc = "Show the source of the instruction at the cursor, and link the two cursors" })

command("SpirvHints", function()
  require("spvls.keys").toggle_hints()
end, { desc = "Show inlay hints, or hide them" })

command("SpirvTargetEnv", function(call)
  require("spvls").target_env(call.args)
end, {
  nargs = "?",
  desc = "Choose the target environment",
  complete = function(start)
    return vim.tbl_filter(function(name)
      return vim.startswith(name, start)
    end, require("spvls.config").target_envs)
  end,
})

command("SpirvWriteBinary", function(call)
  local listing = require("spvls.listing")
  local target = call.args ~= "" and call.args or listing.target_of(vim.api.nvim_buf_get_name(0))
  listing.write(vim.api.nvim_get_current_buf(), target, call.bang)
end, { nargs = "?", bang = true, complete = "file", desc = "Assemble the buffer into a file" })

local group = vim.api.nvim_create_augroup("spvls_listing", {})
vim.api.nvim_create_autocmd("BufReadCmd", {
  group = group,
  pattern = "*.spv",
  callback = function(event)
    require("spvls.listing").read(event.buf, event.match)
  end,
})
vim.api.nvim_create_autocmd("BufWriteCmd", {
  group = group,
  pattern = "*.spv",
  callback = function(event)
    require("spvls.listing").save(event.buf, event.match, vim.v.cmdbang == 1)
  end,
})

vim.api.nvim_create_autocmd("BufReadCmd", {
  group = group,
  pattern = "spvls-source://*",
  callback = function(event)
    require("spvls.source").read(event.buf, vim.api.nvim_buf_get_name(event.buf))
  end,
})

-- What is added to other languages, where no plugin manager has seen to it.
local here = vim.fn.fnamemodify(debug.getinfo(1, "S").source:sub(2), ":p:h:h")
if not vim.tbl_contains(vim.opt.runtimepath:get(), here .. "/after") then
  vim.opt.runtimepath:append(here .. "/after")
end

-- The tags of the documentation, where no plugin manager has made them.
local doc = here .. "/doc"
if vim.fn.getftime(doc .. "/tags") < vim.fn.getftime(doc .. "/spvls.txt") then
  pcall(vim.cmd, "silent helptags " .. vim.fn.fnameescape(doc))
end
