if vim.b.did_ftplugin then
  return
end
vim.b.did_ftplugin = 1

vim.opt_local.commentstring = "; %s"
vim.opt_local.comments = ":;"
-- An id is one word with its percent sign.
vim.opt_local.iskeyword = { "@", "48-57", "_", "%" }
vim.opt_local.formatoptions:remove("t")
vim.b.undo_ftplugin = "setlocal commentstring< comments< iskeyword< formatoptions<"
