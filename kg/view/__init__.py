"""Pictures as self-contained HTML that opens offline: neighbourhoods, a paper's abstract, the model, a whole graph."""

from kg.view.abstract import view_paper
from kg.view.network import view_entity, view_schema, view_task
from kg.view.page import Page
from kg.view.report import report

__all__ = ["Page", "report", "view_entity", "view_paper", "view_schema", "view_task"]
