; What `python_symbols.py` reads. Every pattern is one parent and one child at most: wider ones cost more on long lists.

(identifier) @name
(type) @annotation

[(function_definition) (class_definition)] @definition
(decorated_definition) @decorated
[(assignment) (type_alias_statement)] @binding
[(import_statement) (import_from_statement) (future_import_statement)] @import

; Names that a function binds for itself.
(parameters (identifier) @bound)
(lambda_parameters (identifier) @bound)
(default_parameter name: (identifier) @bound)
(typed_parameter (identifier) @bound)
(typed_default_parameter name: (identifier) @bound)
(list_splat_pattern (identifier) @bound)
(dictionary_splat_pattern (identifier) @bound)
(assignment left: (identifier) @bound)
(named_expression name: (identifier) @bound)
(pattern_list (identifier) @bound)
(tuple_pattern (identifier) @bound)
(list_pattern (identifier) @bound)
(for_statement left: (identifier) @bound)
(for_in_clause left: (identifier) @bound)
(as_pattern_target (identifier) @bound)
(as_pattern_target (tuple (identifier) @bound))
(as_pattern_target (list (identifier) @bound))
(case_pattern (as_pattern (identifier) @bound))
(case_pattern (dotted_name . (identifier) @bound .))
(splat_pattern (identifier) @bound)
(class_definition type_parameters: (type_parameter (type (identifier) @bound)))
(function_definition type_parameters: (type_parameter (type (identifier) @bound)))
(global_statement (identifier) @global)
(nonlocal_statement (identifier) @global)

(class_definition superclasses: (argument_list) @bases)
(decorator (_) @decorator)
; Names written as strings.
(type (string (string_content) @forward))
