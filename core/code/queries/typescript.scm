(abstract_class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @class
(type_alias_declaration name: (_) @name) @constant
(internal_module name: (_) @name) @scope
(module name: (identifier) @name) @scope
(function_signature name: (_) @name) @function
(method_signature name: (_) @name) @function
(abstract_method_signature name: (_) @name) @function
(public_field_definition name: (_) @name value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @function
(enum_body name: (_) @name @constant)
(enum_assignment name: (_) @name) @constant

(ambient_declaration (_) @inner) @outer
(import_require_clause (identifier) @alias source: (string) @module) @import

(extends_clause value: (identifier) @base)
(extends_clause value: (member_expression property: (_) @base))
(extends_type_clause type: (type_identifier) @base)
(extends_type_clause type: (generic_type name: (type_identifier) @base))
(implements_clause (type_identifier) @base)
(implements_clause (generic_type name: (type_identifier) @base))
(type_identifier) @type
