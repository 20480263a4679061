;;; Emacs with spirv-mode: file type, highlighting, and a mistake that Eglot hears of and that goes when mended.  -*- lexical-binding: t; -*-

(setq package-enable-at-startup nil)
(dolist (folder (directory-files "/usr/share/emacs/site-lisp/elpa" t "^[a-z]"))
  (add-to-list 'load-path folder))
(require 'eglot)
(add-to-list 'load-path (expand-file-name "editors/emacs" (getenv "SPVLS_ROOT")))
(require 'spirv-mode)
(setq spirv-server-command (split-string (getenv "SPVLS_CMD") "\n")
      eglot-connect-timeout 20
      flymake-no-changes-timeout 0.1
      eglot-send-changes-idle-time 0)

(defun check-eventually (what condition)
  "Wait until CONDITION holds, and fail with WHAT when it does not."
  (let ((tries 400))
    (while (not (funcall condition))
      (when (zerop (setq tries (1- tries)))
        (error "Did not come to be: %s" what))
      (accept-process-output nil 0.05)
      ;; Flymake and Eglot act on idle timers, which a batch run never reaches.
      (ignore-errors (eglot--signal-textDocument/didChange)))))

(defun check-face (text face)
  "TEXT is shown in FACE."
  (goto-char (point-min))
  (search-forward text)
  (let ((shown (get-text-property (match-beginning 0) 'face)))
    (unless (eq shown face)
      (error "%s is shown in %s, not in %s" text shown face))))

(defun check-mistakes ()
  "Lines on which the server finds an error."
  (mapcar (lambda (finding) (line-number-at-pos (flymake-diagnostic-beg finding)))
          (flymake-diagnostics)))

(find-file (getenv "SPVLS_FILE"))
(unless (eq major-mode 'spirv-mode)
  (error "The mode is %s" major-mode))
(font-lock-ensure)
(check-face "OpTypeFloat" 'font-lock-type-face)
(check-face "%float =" 'font-lock-variable-name-face)
(check-face "OpReturn" 'font-lock-keyword-face)
(check-face "\"main\"" 'font-lock-string-face)
(check-face "; Version" 'font-lock-comment-delimiter-face)

(apply #'eglot--connect (eglot--guess-contact))
(check-eventually "the server is attached" (lambda () (and (eglot-current-server) (eglot-managed-p))))
(goto-char (point-min))
(search-forward "OpFAdd")
(replace-match "OpBogus" t)
(let ((line (line-number-at-pos)))
  (check-eventually "the mistake is found" (lambda () (member line (check-mistakes)))))
(goto-char (point-min))
(search-forward "OpBogus")
(replace-match "OpFAdd" t)
(check-eventually "the finding is gone" (lambda () (null (check-mistakes))))

(goto-char (point-min))
(search-forward "OpTypeFl")
(let ((hover (jsonrpc-request (eglot-current-server) :textDocument/hover (eglot--TextDocumentPositionParams))))
  (unless (string-match-p "OpTypeFloat" (format "%s" hover))
    (error "The hover is %s" hover)))
(message "PASSED")
