"""Exports results and context sets: tables for papers and spreadsheets, records and data sets for hubs."""

from bvf.export.analysed import analysed_text as analysed_text
from bvf.export.analysed import read_analysed as read_analysed
from bvf.export.analysed import reported_text as reported_text
from bvf.export.contexts.dataset import write_contexts_dataset as write_contexts_dataset
from bvf.export.csv_table import csv_text as csv_text
from bvf.export.dataset import write_dataset as write_dataset
from bvf.export.eee import Provenance as Provenance
from bvf.export.eee import eee_record as eee_record
from bvf.export.eval_results import eval_results as eval_results
from bvf.export.harness.folder import write_tasks as write_tasks
from bvf.export.latex import latex_text as latex_text
from bvf.export.markdown import markdown_text as markdown_text
from bvf.export.wide_tables import control_table as control_table
from bvf.export.wide_tables import group_table as group_table
from bvf.export.wide_tables import model_table as model_table
