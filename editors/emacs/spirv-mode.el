;;; spirv-mode.el --- SPIR-V assembly with the spvls language server  -*- lexical-binding: t; -*-

;; Author: The spvls developers
;; URL: https://github.com/spvls/spvls
;; SPDX-License-Identifier: Apache-2.0
;; Version: 0.1.0
;; Package-Requires: ((emacs "28.1"))
;; Keywords: languages

;;; Commentary:

;; A major mode for SPIR-V assembly.  With Eglot, the language server spvls gives findings, hover, completion,
;; definitions, rename and formatting:
;;
;;   (require 'spirv-mode)
;;   (add-hook 'spirv-mode-hook #'eglot-ensure)

;;; Code:

(require 'seq)

(defgroup spirv nil
  "SPIR-V assembly."
  :group 'languages)

(defcustom spirv-server-command '("spvls" "serve")
  "Command that starts the language server.
The program is an absolute file name or a name on the `exec-path'; the command runs outside the project."
  :type '(repeat string))

(defcustom spirv-target-env nil
  "Environment whose rules apply, such as \"vulkan1.3\"; nil for what the file says."
  :type '(choice (const :tag "From the file" nil) string))

(defconst spirv--control-opcodes
  '("Phi" "LoopMerge" "SelectionMerge" "Label" "Branch" "BranchConditional" "Switch" "Kill" "Return" "ReturnValue"
    "Unreachable" "LifetimeStart" "LifetimeStop" "TerminateInvocation" "TerminateRayKHR" "IgnoreIntersectionKHR"
    "DemoteToHelperInvocation" "EmitMeshTasksEXT" "AbortKHR" "Function" "FunctionParameter" "FunctionEnd"
    "FunctionCall"))

(defconst spirv--module-opcodes
  '("Capability" "Extension" "ExtInstImport" "MemoryModel" "EntryPoint" "ExecutionMode" "ExecutionModeId" "Source"
    "SourceContinued" "SourceExtension" "Name" "MemberName" "String" "Line" "NoLine" "ModuleProcessed" "Decorate"
    "DecorateId" "DecorateString" "MemberDecorate" "MemberDecorateString" "DecorationGroup" "GroupDecorate"
    "GroupMemberDecorate"))

(defvar spirv-font-lock-keywords
  `(("%[A-Za-z0-9_]+\\(?:[ \t]*\\(=\\)\\)" (0 font-lock-variable-name-face))
    ("%[A-Za-z0-9_]+" . font-lock-variable-name-face)
    ("\\_<OpType[A-Z][A-Za-z0-9]*" . font-lock-type-face)
    (,(concat "\\_<Op" (regexp-opt spirv--control-opcodes) "\\_>") . font-lock-keyword-face)
    (,(concat "\\_<Op" (regexp-opt spirv--module-opcodes) "\\_>") . font-lock-preprocessor-face)
    ("\\_<Op\\(?:Spec\\)?Constant[A-Za-z0-9]*" . font-lock-builtin-face)
    ("\\_<Op[A-Z][A-Za-z0-9]*" . font-lock-function-name-face)
    ("!\\+?\\(?:0[xX][0-9A-Fa-f]+\\|[0-9]+\\)\\_>" . font-lock-warning-face)
    ("\\_<\\(?:[123]D\\|[A-Za-z_]\\)[A-Za-z0-9_]*" . font-lock-constant-face))
  "Highlighting of SPIR-V assembly.")

(defvar spirv-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?\; "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?\\ "\\" table)
    (modify-syntax-entry ?% "_" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?| "." table)
    (modify-syntax-entry ?= "." table)
    (modify-syntax-entry ?! "." table)
    table)
  "Syntax of SPIR-V assembly.")

;;;###autoload
(define-derived-mode spirv-mode prog-mode "SPIR-V"
  "Major mode for SPIR-V assembly."
  (setq-local comment-start "; ")
  (setq-local comment-start-skip ";+[ \t]*")
  (setq-local font-lock-defaults '(spirv-font-lock-keywords))
  (setq-local indent-line-function #'indent-relative))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.\\(?:spvasm\\(?:\\.[^./]+\\)?\\|spirv\\)\\'" . spirv-mode))

(defun spirv--executable-p (file)
  "Whether FILE can be run."
  (and (file-executable-p file) (not (file-directory-p file))))

(defun spirv--program (name)
  "Absolute name of the program NAME.
A relative entry of the `exec-path' would find a program of the project and is passed over."
  (cond ((and (file-name-absolute-p name) (spirv--executable-p name)) (expand-file-name name))
        ((file-name-directory name) nil)
        (t (locate-file name
                        (seq-filter (lambda (folder) (and folder (file-name-absolute-p folder))) exec-path)
                        exec-suffixes
                        #'spirv--executable-p))))

(defun spirv--start-server ()
  "Start the server apart from the project: in Emacs' own folder, which is always there, and without PYTHONPATH.
An empty entry of PYTHONPATH is the working directory; PYTHONSAFEPATH keeps that out for `python -m', too."
  (let ((program (or (spirv--program (car spirv-server-command))
                     (error "`%s' is not on the `exec-path'; get it with: pip install spvls" (car spirv-server-command))))
        (default-directory data-directory)
        (process-environment (append '("PYTHONSAFEPATH=1" "PYTHONPATH") process-environment)))
    (make-process :name "spvls"
                  :command (cons program (cdr spirv-server-command))
                  :connection-type 'pipe
                  :coding 'utf-8-emacs-unix
                  :noquery t
                  :stderr (get-buffer-create "*spvls stderr*"))))

(defun spirv--server (&rest _)
  "How Eglot starts the server, and what the server is told then.
On a remote host the command runs as it stands."
  (append (if (file-remote-p default-directory)
              spirv-server-command
            '(eglot-lsp-server :process spirv--start-server))
          `(:initializationOptions (:targetEnv ,spirv-target-env))))

(defvar eglot-server-programs)

(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(spirv-mode . spirv--server)))

(provide 'spirv-mode)

;;; spirv-mode.el ends here
