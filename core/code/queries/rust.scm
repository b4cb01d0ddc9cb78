(struct_item name: (_) @name) @class
(enum_item name: (_) @name) @class
(union_item name: (_) @name) @class
(trait_item name: (_) @name) @class
(impl_item type: (_) @name) @type_scope
(mod_item name: (_) @name body: (_)) @scope
(function_item name: (_) @name) @function
(function_signature_item name: (_) @name) @function
(macro_definition name: (_) @name) @function
(const_item name: (_) @name) @constant
(static_item name: (_) @name) @constant
(type_item name: (_) @name) @constant
(enum_variant name: (_) @name) @constant

(attribute_item) @decorator
[(line_comment) (block_comment)] @comment

(use_declaration argument: (_) @use) @skip

(attribute (identifier) @decorates)
(impl_item trait: (type_identifier) @base)
(impl_item trait: (generic_type type: (type_identifier) @base))
(impl_item trait: (scoped_type_identifier name: (_) @base))
(trait_bounds (type_identifier) @base)
(type_identifier) @type
[(identifier) (field_identifier)] @word
