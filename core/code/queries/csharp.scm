(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @class
(struct_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(namespace_declaration name: (_) @name) @scope
(method_declaration name: (_) @name) @function
(constructor_declaration name: (_) @name) @function
(local_function_statement name: (_) @name) @function
(property_declaration name: (_) @name accessors: (_) @body) @function
(delegate_declaration name: (_) @name) @function
(enum_member_declaration name: (_) @name) @constant
(field_declaration (variable_declaration (variable_declarator name: (_) @name))) @constant

(attribute_list) @decorator
(comment) @comment

(using_directive) @skip
(using_directive name: (_) @alias (_) @module .) @import
(using_directive !name (_) @module .) @import_all

(attribute name: (identifier) @decorates)
(base_list (identifier) @base)
(base_list (generic_name (identifier) @base))
(base_list (qualified_name name: (identifier) @base))
(identifier) @word
