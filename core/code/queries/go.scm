(type_spec name: (_) @name) @class
(type_alias name: (_) @name) @constant
(function_declaration name: (_) @name) @function
(method_declaration receiver: (parameter_list (parameter_declaration type: (_) @holder)) name: (_) @name) @function
(interface_type (method_elem name: (_) @name) @function)
(const_spec name: (identifier) @name) @constant
(var_spec name: (identifier) @name) @constant

(type_declaration . (type_spec) @inner) @outer
(type_declaration . (type_alias) @inner) @outer
(const_declaration . (const_spec) @inner) @outer
(var_declaration . (var_spec) @inner) @outer
(comment) @comment

(import_declaration) @skip
(package_clause) @skip
(import_spec name: (_)? @alias path: (_) @module) @import

(field_declaration !name type: (type_identifier) @base)
(field_declaration !name type: (qualified_type name: (_) @base))
(interface_type (type_elem (type_identifier) @base))
(interface_type (type_elem (qualified_type name: (_) @base)))
(type_identifier) @type
[(identifier) (field_identifier)] @word
