(function_definition declarator: (reference_declarator (function_declarator declarator: (_) @name))) @function
(declaration declarator: (reference_declarator (function_declarator declarator: (_) @name))) @prototype
(field_declaration declarator: (function_declarator declarator: (_) @name)) @prototype
(field_declaration declarator: (pointer_declarator declarator: (function_declarator declarator: (_) @name))) @prototype
(field_declaration declarator: (reference_declarator (function_declarator declarator: (_) @name))) @prototype
(class_specifier name: (_) @name body: (_)) @class
(namespace_definition name: (_) @name) @scope
(alias_declaration name: (_) @name) @constant
(concept_definition name: (_) @name) @constant

(template_declaration (_) @inner .) @outer
(using_declaration) @skip

(base_class_clause (type_identifier) @base)
(base_class_clause (template_type name: (type_identifier) @base))
(base_class_clause (qualified_identifier name: (type_identifier) @base))
(base_class_clause (qualified_identifier name: (template_type name: (type_identifier) @base)))
