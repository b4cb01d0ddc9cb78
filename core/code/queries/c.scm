; C, and what C++ has of it.

(function_definition declarator: (function_declarator declarator: (_) @name)) @function
(function_definition declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name))) @function
(function_definition declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name)))) @function
(declaration declarator: (function_declarator declarator: (_) @name)) @prototype
(declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name))) @prototype
(declaration declarator: (pointer_declarator declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name)))) @prototype
(struct_specifier name: (_) @name body: (_)) @class
(union_specifier name: (_) @name body: (_)) @class
(enum_specifier name: (_) @name body: (_)) @class
(enumerator name: (_) @name) @constant
(type_definition declarator: (type_identifier) @name) @typedef
(declaration declarator: (init_declarator declarator: (identifier) @name)) @constant
(declaration declarator: (init_declarator declarator: (array_declarator declarator: (identifier) @name))) @constant
(declaration declarator: (init_declarator declarator: (pointer_declarator declarator: (identifier) @name))) @constant
(preproc_def name: (_) @name) @constant
(preproc_function_def name: (_) @name) @function

(comment) @comment

(preproc_include) @skip
(preproc_include path: (_) @module) @import

(type_identifier) @type
[(identifier) (field_identifier)] @word
