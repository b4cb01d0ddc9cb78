"""Guards look at the whole change after the tools had their say; `table` names them.

Nothing is loaded here: what judges is needed only after the model has answered.
"""
