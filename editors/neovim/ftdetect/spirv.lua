-- Before 0.8 the Lua detection is off unless asked for, and `a.spvasm.frag` would stay with the shading languages.
if vim.fn.has("nvim-0.8") == 1 then
  vim.filetype.add({
    extension = {
      amber = "amber",
      shader_test = "vkrunner",
      spirv = "spirv",
      spvas = "spirv",
      spvasm = "spirv",
      spvasm32 = "spirv",
      spvasm64 = "spirv",
    },
    pattern = {
      [".*%.spvasm%..*"] = "spirv",
      -- Above the patterns of the shading languages.
      [".*%.asm%.[vtgfcmr]%l+"] = { "spirv", { priority = 10 } },
    },
  })
else
  vim.api.nvim_create_autocmd({ "BufNewFile", "BufRead" }, {
    pattern = {
      "*.spvasm",
      "*.spvasm.*",
      "*.spvasm32",
      "*.spvasm64",
      "*.spvas",
      "*.spirv",
      "*.asm.{vert,tesc,tese,geom,frag,comp,task,mesh,rgen,rint,rahit,rchit,rmiss,rcall}",
    },
    command = "set filetype=spirv",
  })
  vim.api.nvim_create_autocmd({ "BufNewFile", "BufRead" }, { pattern = "*.amber", command = "set filetype=amber" })
  vim.api.nvim_create_autocmd({ "BufNewFile", "BufRead" }, { pattern = "*.shader_test", command = "set filetype=vkrunner" })
end
