"""Exports results and context sets: tables for papers and spreadsheets, records and data sets for hubs."""

from bvf_report.export.contexts import write_contexts_dataset as write_contexts_dataset
from bvf_report.export.dataset import write_dataset as write_dataset
from bvf_report.export.eee import Provenance as Provenance
from bvf_report.export.eee import eee_record as eee_record
from bvf_report.export.eee import eval_results as eval_results
from bvf_report.export.findings import analysed_text as analysed_text
from bvf_report.export.findings import read_analysed as read_analysed
from bvf_report.export.findings import reported_text as reported_text
from bvf_report.export.harness.folder import write_tasks as write_tasks
from bvf_report.export.papers import latex_text as latex_text
from bvf_report.export.papers import markdown_text as markdown_text
from bvf_report.export.wide_tables import control_table as control_table
from bvf_report.export.wide_tables import csv_text as csv_text
from bvf_report.export.wide_tables import group_table as group_table
from bvf_report.export.wide_tables import model_table as model_table
