(class_declaration name: (_) @name) @class
(interface_declaration name: (_) @name) @class
(enum_declaration name: (_) @name) @class
(record_declaration name: (_) @name) @class
(annotation_type_declaration name: (_) @name) @class
(method_declaration name: (_) @name) @function
(constructor_declaration name: (_) @name) @function
(compact_constructor_declaration name: (_) @name) @function
(enum_constant name: (_) @name) @constant
(field_declaration declarator: (variable_declarator name: (_) @name)) @capitals
(constant_declaration declarator: (variable_declarator name: (_) @name)) @capitals

[(annotation) (marker_annotation)] @decorator
[(line_comment) (block_comment)] @comment

[(import_declaration) (package_declaration)] @skip
(import_declaration (scoped_identifier scope: (_) @module name: (_) @imported) .) @import
(import_declaration (_) @module (asterisk)) @import_all

(annotation name: (identifier) @decorates)
(marker_annotation name: (identifier) @decorates)
(superclass (type_identifier) @base)
(superclass (generic_type (type_identifier) @base))
(type_list (type_identifier) @base)
(type_list (generic_type (type_identifier) @base))
(type_list (scoped_type_identifier (type_identifier) @base .))
(type_identifier) @type
(identifier) @word
