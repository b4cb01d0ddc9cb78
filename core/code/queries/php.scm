(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @class
(trait_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @class
(function_definition name: (_) @name) @function
(method_declaration name: (_) @name) @function
(const_declaration (const_element (name) @name)) @constant
(enum_case name: (_) @name) @constant

(attribute_list) @decorator
(comment) @comment

[(namespace_use_declaration) (namespace_definition)] @skip
(namespace_use_clause (qualified_name prefix: (_) @module (name) @imported) alias: (name)? @alias) @import
(namespace_use_declaration (namespace_name) @module) @from
(namespace_use_clause . (name) @imported alias: (name)? @alias) @specifier

(attribute (name) @decorates)
(base_clause (name) @base)
(class_interface_clause (name) @base)
(use_declaration (name) @base)
(named_type (name) @type)
(name) @word
