; JavaScript and TypeScript alike.

(class_declaration name: (_) @name) @class
(function_declaration name: (_) @name) @function
(generator_function_declaration name: (_) @name) @function
(method_definition name: (_) @name) @function
(variable_declarator name: (identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body) (generator_function body: (_) @body)]) @function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @class
(variable_declarator name: (identifier) @name) @constant
(assignment_expression left: (member_expression property: (_) @name) right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @function
(pair key: (property_identifier) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @function

(export_statement declaration: (_) @inner) @outer
(lexical_declaration . (variable_declarator) @inner) @outer
(variable_declaration . (variable_declarator) @inner) @outer
(decorator) @decorator
(comment) @comment

(import_statement) @skip
(import_statement source: (string) @module) @from
(import_clause (identifier) @alias) @default
(namespace_import (identifier) @alias) @whole
(import_specifier name: (_) @imported alias: (identifier)? @alias) @specifier
(import_statement . source: (string) @module) @import
(export_statement source: (string) @module) @from
(export_specifier name: (_) @imported) @specifier
(export_statement "*" source: (string) @module) @import_all
(variable_declarator name: (identifier) @alias value: (call_expression function: (identifier) @_require arguments: (arguments (string) @module)) (#eq? @_require "require")) @import
(variable_declarator name: (object_pattern) value: (call_expression function: (identifier) @_require arguments: (arguments (string) @module)) (#eq? @_require "require")) @from
(object_pattern (shorthand_property_identifier_pattern) @imported @specifier)

(decorator (identifier) @decorates)
(decorator (call_expression function: (identifier) @decorates))
[(identifier) (property_identifier) (private_property_identifier) (shorthand_property_identifier)] @word
