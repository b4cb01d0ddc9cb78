(module name: (_) @name) @class
(class name: (_) @name) @class
(method name: (_) @name) @function
(singleton_method name: (_) @name) @function
(assignment left: (constant) @name) @constant

(comment) @comment

(call . method: (identifier) @_require arguments: (argument_list (string) @module) (#any-of? @_require "require" "require_relative" "load")) @import

(superclass (constant) @base)
(superclass (scope_resolution name: (_) @base))
(call . method: (identifier) @_mixin arguments: (argument_list (constant) @base) (#any-of? @_mixin "include" "extend" "prepend"))
[(constant) (identifier)] @word
