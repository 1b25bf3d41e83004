"""Seeds of the Lisp: arithmetic, a function, lists."""

SEEDS: dict[str, bytes] = {
    "sum.lisp": b"(+ 1 (* 2 -3)) ; six",
    "function.lisp": b"(define f (lambda (n) (if (< n 1) 1 (* n (f (- n 1))))))(f 3)",
    "list.lisp": b"(let ((a '(1 2 . 3))) (cons (car a) (cdr a)))",
}
